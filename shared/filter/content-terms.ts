import type { FieldDescription } from './fields.ts';
import { type ContentField, type ContentTerm, QueryError } from './query.ts';
import type { Token } from './tokens.ts';

const CONTENT_FIELDS: Readonly<Record<ContentField, { about: string; examples: readonly string[] }>> = {
  body: { about: 'Text in a body, decoded', examples: ['body:token', 'body:"out of stock"'] },
  header: { about: 'Header field of either side, as name: value', examples: ['header:x-cache', 'header:"age: 0"'] },
  cookie: { about: 'Cookie sent or set, as name=value', examples: ['cookie:session=*'] },
  message: { about: 'Text in a WebSocket message or event', examples: ['message:ping'] },
};

function isContentField(name: string | null): name is ContentField {
  return name !== null && Object.hasOwn(CONTENT_FIELDS, name);
}

/** The term if it is about recorded content, else null. Throws `QueryError` if it is not `allowed` or has no value. */
export function contentTerm(term: Extract<Token, { kind: 'term' }>, allowed: boolean): ContentTerm | null {
  const { field, value } = term;
  if (!isContentField(field)) return null;
  if (!allowed) {
    const fix = 'It works in the filter of the window. Remove it here.';
    throw new QueryError(`${field}: looks into the content of recorded exchanges. ${fix}`, term);
  }
  if (value.replaceAll('*', '') === '') {
    const example = CONTENT_FIELDS[field].examples[0] ?? '';
    throw new QueryError(`${field}: needs a value right after the colon, as in ${example}.`, term, 'there');
  }
  return { kind: 'content', field, value };
}

/** The fields that look into recorded content, for completion and help. */
export function describeContentFields(): FieldDescription[] {
  return Object.entries(CONTENT_FIELDS).map(([name, described]) => ({ name, ...described, values: [] }));
}
