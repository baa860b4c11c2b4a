import { ACTIONS, type Action, type ActionName } from '../../../../shared/model/rule/actions.ts';

/** An action as the form edits it: its fields as JSON, and a long text in them separately. */
export interface ActionText {
  /** Stays while the action moves in the list. */
  id: number;
  name: ActionName;
  /** A JSON object, without the long text. */
  fields: string;
  /** Null: the action has no such text. */
  text: string | null;
}

/** The field that holds a script or a body, and the fields that take its place. */
interface LongText {
  field: 'code' | 'body';
  insteadOf: readonly string[];
  /** An empty text is left out. */
  mayBeMissing: boolean;
}

const BODY_CHANGE: LongText = { field: 'body', insteadOf: ['bodyFile'], mayBeMissing: false };
const LONG_TEXTS: Partial<Record<ActionName, LongText>> = {
  script: { field: 'code', insteadOf: ['file'], mayBeMissing: true },
  answer: { field: 'body', insteadOf: ['bodyBase64', 'file', 'folder'], mayBeMissing: true },
  changeRequest: BODY_CHANGE,
  changeResponse: BODY_CHANGE,
};

function longTextOf(name: ActionName): LongText | null {
  return LONG_TEXTS[name] ?? null;
}

/** The fields that an action may have, without the long text. */
export function fieldNames(name: ActionName): string[] {
  return Object.keys(ACTIONS[name].entries).filter((field) => field !== longTextOf(name)?.field);
}

/** The default of a switch is off, except for a script's body. */
const USUAL: Record<string, boolean> = { script: true };

function entriesOf(action: Action): [ActionName, Record<string, unknown>] {
  // An action is an object with one key, its name.
  const [[name, fields]] = Object.entries(action) as [[ActionName, object]];
  // Defaults are left out: they would hide what the user wrote.
  const said = Object.entries(fields).filter(([, value]) => value !== (USUAL[name] ?? false) && value !== undefined);
  return [name, Object.fromEntries(said)];
}

let ids = 0;

export function textOfAction(action: Action): ActionText {
  const [name, { ...fields }] = entriesOf(action);
  const field = longTextOf(name)?.field;
  const text = field === undefined ? undefined : fields[field];
  const isText = typeof text === 'string';
  if (field !== undefined && isText) delete fields[field];
  ids += 1;
  return { id: ids, name, fields: linesOf(fields), text: isText ? text : null };
}

/** JSON with a line for each field, and for each part of a list that does not fit into one. */
function linesOf(fields: object): string {
  const names = Object.entries(fields);
  if (names.length === 0) return '{}';
  const lines = names.map(([name, value]) => `  ${JSON.stringify(name)}: ${indented(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Characters of a list on one line. */
const SHORT = 60;

function indented(value: unknown): string {
  const short = JSON.stringify(value);
  if (short.length <= SHORT) return spaced(value);
  if (!Array.isArray(value)) return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
  return `[\n${value.map((each) => `    ${spaced(each)}`).join(',\n')}\n  ]`;
}

/** JSON on one line, with spaces. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** The action as data, not yet checked. Throws a `FieldsFault`. */
export function actionOf({ name, fields, text }: ActionText): Record<string, unknown> {
  const given = fieldsIn(fields);
  const long = longTextOf(name);
  if (long === null || text === null || (text === '' && long.mayBeMissing)) return { [name]: given };
  const other = [long.field, ...long.insteadOf].find((field) => field in given);
  if (other !== undefined) {
    const what = long.field === 'code' ? 'script' : 'body';
    throw new FieldsFault(`"${other}" and the ${what} below exclude each other: remove one of them.`, null);
  }
  return { [name]: { ...given, [long.field]: text } };
}

/** Whether the long text has a place: another field may hold it or name its file. */
export function takesText({ name, fields, text }: ActionText): boolean {
  const long = longTextOf(name);
  if (long === null || text) return long !== null;
  try {
    const given = fieldsIn(fields);
    return ![long.field, ...long.insteadOf].some((field) => field in given);
  } catch {
    return true;
  }
}

/** Why the fields of an action can't be read. `line`: of their text, from 1; null: not known. */
export class FieldsFault extends Error {
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(message);
    this.line = line;
  }
}

function fieldsIn(text: string): object {
  const value = jsonIn(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new FieldsFault('Write the fields as a JSON object: { … }.', 1);
}

/** Throws a `FieldsFault`. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FieldsFault(`Not valid JSON: ${error instanceof Error ? error.message : error}`, faultLine(text, error));
  }
}

/** The line at which JSON.parse gave up: engines name a position, or say that the text ended. */
function faultLine(text: string, error: unknown): number | null {
  const message = error instanceof Error ? error.message : '';
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  return /end of JSON/.test(message) ? text.split('\n').length : null;
}
