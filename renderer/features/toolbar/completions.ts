import { describeContentFields } from '../../../shared/filter/content-terms.ts';
import { describeFields } from '../../../shared/filter/fields.ts';

/** From the query language itself: completions never differ from what it accepts. */
const FIELDS = [...describeFields(), ...describeContentFields()];
/** Completions shown at most. */
const MOST = 8;

/** One suggestion under the filter. */
export interface Completion {
  /** Replaces the last word. */
  insert: string;
  about: string;
}

/** Completions for the last word: fields with that prefix, or after the colon the field's values or examples. */
export function completionsOf(query: string): Completion[] {
  const word = query.split(/[\s(]/).at(-1)?.replace(/^-/, '') ?? '';
  const colon = word.indexOf(':');
  return (colon < 0 ? fieldsLike(word) : valuesLike(word.slice(0, colon), word.slice(colon + 1))).slice(0, MOST);
}

/** Ends with the colon, after which the next completions are the field's values. */
function fieldsLike(name: string): Completion[] {
  return FIELDS.filter((field) => field.name.startsWith(name.toLowerCase())).map((field) => ({
    insert: `${field.name}:`,
    about: `${field.about}, e.g. ${field.examples[0] ?? ''}`,
  }));
}

/** A field without fixed values offers its examples. A trailing space ends the term. */
function valuesLike(name: string, value: string): Completion[] {
  const field = FIELDS.find((known) => known.name === name.toLowerCase());
  if (field === undefined) return [];
  const values = field.values.length > 0 ? field.values.map((known) => `${name}:${known}`) : field.examples;
  const typed = `${name}:${value}`.toLowerCase();
  return values
    .filter((known) => known.toLowerCase().startsWith(typed) && known.toLowerCase() !== typed)
    .map((known) => ({ insert: `${known} `, about: field.about }));
}

/** The query with its last word replaced; a `(` or `-` before that word is kept. */
export function accepted(query: string, { insert }: Completion): string {
  return query.replace(/([\s(]-?|^-?)[^\s(]*$/, (_word, before: string) => before + insert);
}
