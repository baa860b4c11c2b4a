import {
  type Action,
  type ActionName,
  type ChangeRequest,
  type ChangeResponse,
  isFinalAction,
  type MapTo,
} from '../../../shared/model/rule/actions.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { networkInWords } from '../throttle/throttle-words.ts';

/** The part of a message that each field of a change edits. The parts are listed in this order. */
const PARTS: Record<keyof ChangeRequest | keyof ChangeResponse, string> = {
  ...{ method: 'method', status: 'status', replacePath: 'path', setQuery: 'query', removeQuery: 'query' },
  ...{ setHeaders: 'headers', addHeaders: 'headers', removeHeaders: 'headers', cors: 'CORS' },
  ...{ body: 'body', bodyFile: 'body', replaceBody: 'body', mergeJson: 'body', patchJson: 'body' },
  ...{ setTrailers: 'trailers', addTrailers: 'trailers', removeTrailers: 'trailers' },
};

function partsInWords(change: object): string {
  return [...new Set(Object.entries(PARTS).flatMap(([field, part]) => (field in change ? [part] : [])))].join(', ');
}

/** What an action does, in a few words. */
const SUMMARIES: { [N in ActionName]: (action: Extract<Action, Record<N, unknown>>[N]) => string } = {
  answer: ({ status, file, folder }) => `answer ${status}${file ? ` from ${file}` : folder ? ` from ${folder}` : ''}`,
  mapTo: (to) => `map to ${placeInWords(to)}`,
  changeRequest: (change) => `change request: ${partsInWords(change)}`,
  changeResponse: (change) => `change response: ${partsInWords(change)}`,
  delay: ({ ms, upTo, before }) => `delay ${before} ${ms}${upTo ? ` to ${upTo}` : ''} ms`,
  throttle: (network) => `throttle to ${networkInWords(network)}`,
  script: ({ file }) => (file === undefined ? 'script' : `script ${file}`),
  fail: ({ how, percent }) => `fail: ${how}${percent < 100 ? `, ${percent} %` : ''}`,
  break: ({ on, autoContinueMs }) => {
    const limit = autoContinueMs === undefined ? '' : `, ${autoContinueMs} ms at most`;
    return `break on ${on === 'both' ? 'request and response' : on}${limit}`;
  },
  mark: ({ colour, note }) => `mark ${[colour, note].filter(Boolean).join(': ')}`,
};

/** Where requests go; what is not given stays. */
function placeInWords({ scheme, host, port, replacePath }: MapTo): string {
  const server =
    host === undefined
      ? [scheme, port && `port ${port}`]
      : [`${scheme ? `${scheme}://` : ''}${host}${port ? `:${port}` : ''}`];
  return [...server, replacePath && 'another path'].filter(Boolean).join(', ') || 'the same place';
}

/** An action's name in the form. */
export const ACTION_LABELS: Record<ActionName, string> = {
  answer: 'Answer',
  mapTo: 'Map to',
  changeRequest: 'Change request',
  changeResponse: 'Change response',
  delay: 'Delay',
  throttle: 'Throttle',
  script: 'Script',
  fail: 'Fail',
  break: 'Break',
  mark: 'Mark',
};

const FIELD = [['x-example', 'yes']];

/** What the form puts into a new action: an example that works, to be edited. */
export const ACTION_EXAMPLES: Record<ActionName, object> = {
  answer: { status: 200, headers: [['content-type', 'application/json']], body: '{}' },
  mapTo: { host: 'localhost', port: 3000 },
  changeRequest: { setHeaders: FIELD },
  changeResponse: { setHeaders: FIELD },
  delay: { ms: 500 },
  throttle: { profile: 'Slow 4G' },
  script: { code: 'function onRequest(request) {\n  console.log(request.method, request.url);\n}\n' },
  fail: { how: 'reset' },
  break: { on: 'both' },
  mark: { colour: 'yellow', note: '' },
};

/** What an action did to an exchange. */
const DONE: Record<ActionName, string> = {
  answer: 'Answered',
  mapTo: 'Mapped',
  changeRequest: 'Changed the request',
  changeResponse: 'Changed the response',
  delay: 'Delayed',
  throttle: 'Throttled',
  script: 'Ran a script',
  fail: 'Failed',
  break: 'Held',
  mark: 'Marked',
};

/** `name`: of an action, as an exchange recorded it. A newer version may have recorded one that is unknown here. */
export function doneInWords(name: string): string {
  return Object.hasOwn(DONE, name) ? DONE[name as ActionName] : name;
}

/** All that a rule can do. */
export const ACTION_NAMES = Object.keys(ACTION_LABELS) as ActionName[];

/** An action is an object with one key: its name. */
function nameOf(action: Action): ActionName {
  return Object.keys(action)[0] as ActionName;
}

/** Whether actions of this name end the list. */
export function isFinalName(name: ActionName): boolean {
  return isFinalAction({ [name]: {} } as Action);
}

/** All actions of a rule in one line. */
export function actionsInWords(rule: Rule): string {
  return rule.do
    .map((action) => {
      const name = nameOf(action);
      // The compiler can't relate the name to its part of the union.
      const summary = SUMMARIES[name] as (of: unknown) => string;
      return summary((action as Record<string, unknown>)[name]);
    })
    .join('; ');
}

/** Whether the list ends at the rule when it matches. */
export function isFinal(rule: Rule): boolean {
  return rule.do.some(isFinalAction);
}

/**
 * A name that no other rule has: `mock`, `mock 2`. The Rules tab and a HAR identify a rule by its name, and the host
 * refuses a list in which two rules share one.
 */
export function freeName(wanted: string, rules: readonly Rule[]): string {
  const taken = new Set(rules.map(({ name }) => name));
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted} ${count}`;
  return name;
}
