import { describeFields } from '../../../shared/filter/fields.ts';

const FIELDS = describeFields();
const MOST = 8;

export interface Completion {
  /** What the last word becomes. */
  insert: string;
  about: string;
}

/** What could go on from the last word: fields by their beginning, then the field's own values, or examples of them. */
export function completionsOf(query: string): Completion[] {
  const word = query.split(/[\s(]/).at(-1)?.replace(/^-/, '') ?? '';
  const colon = word.indexOf(':');
  return (colon < 0 ? fieldsLike(word) : valuesLike(word.slice(0, colon), word.slice(colon + 1))).slice(0, MOST);
}

function fieldsLike(name: string): Completion[] {
  return FIELDS.filter((field) => field.name.startsWith(name.toLowerCase())).map((field) => ({
    insert: `${field.name}:`,
    about: `${field.about}, as in ${field.examples[0] ?? ''}`,
  }));
}

function valuesLike(name: string, value: string): Completion[] {
  const field = FIELDS.find((known) => known.name === name.toLowerCase());
  if (field === undefined) return [];
  const values = field.values.length > 0 ? field.values.map((known) => `${name}:${known}`) : field.examples;
  const typed = `${name}:${value}`.toLowerCase();
  return values
    .filter((known) => known.toLowerCase().startsWith(typed) && known.toLowerCase() !== typed)
    .map((known) => ({ insert: `${known} `, about: field.about }));
}

/** The query with its last word replaced; a `(` or `-` before it stays. */
export function accepted(query: string, { insert }: Completion): string {
  return query.replace(/([\s(]-?|^-?)[^\s(]*$/, (_word, before: string) => before + insert);
}
