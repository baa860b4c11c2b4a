import type { FieldDescription } from './fields.ts';
import { fieldsPredicate } from './fields-content.ts';
import { type ContentField, type ContentScope, type ContentTerm, QueryError } from './query.ts';
import { requiredInFields } from './required-text.ts';
import type { Token } from './tokens.ts';

type Term = Extract<Token, { kind: 'term' }>;

const CONTENT_FIELDS: Readonly<Record<ContentField, { about: string; examples: readonly string[] }>> = {
  body: { about: 'Text in a body, decoded', examples: ['body:token', 'body:"out of stock"'] },
  header: { about: 'Header field of either side, as name: value', examples: ['header:x-cache', 'header:"age: 0"'] },
  cookie: { about: 'Cookie sent or set, as name=value', examples: ['cookie:session=*'] },
  message: { about: 'Text in a WebSocket message or event', examples: ['message:ping'] },
};

const WHERE: Readonly<Record<Exclude<ContentScope, 'all'>, string>> = {
  none: 'It works in the window’s filter.',
  fields: 'It works in the window’s filter; rules support only header: and cookie: of these.',
};

function isContentField(name: string | null): name is ContentField {
  return name !== null && Object.hasOwn(CONTENT_FIELDS, name);
}

/** The term if it is about content, else null. Throws `QueryError` if `scope` does not have it, or it has no value. */
export function contentTerm(term: Term, scope: ContentScope): ContentTerm | null {
  const { field, value } = term;
  if (!isContentField(field)) return null;
  const isAboutFields = field === 'header' || field === 'cookie';
  if (scope === 'none' || (scope === 'fields' && !isAboutFields)) {
    const problem = `${field}: looks into the content of recorded exchanges. ${WHERE[scope]} Remove it here.`;
    throw new QueryError(problem, term);
  }
  if (value.replaceAll('*', '') === '') {
    const example = CONTENT_FIELDS[field].examples[0] ?? '';
    throw new QueryError(`${field}: needs a value right after the colon, as in ${example}.`, term, 'there');
  }
  const fits = isAboutFields ? fieldsPredicate(field, value) : null;
  return {
    ...{ kind: 'content', field, value, text: `${field}:${value}` },
    fits: (_row, fields = []) => fits?.(fields) ?? false,
    requires: isAboutFields ? requiredInFields(field, value) : null,
  };
}

/** The fields that search content, for completion and help. */
export function describeContentFields(): FieldDescription[] {
  return Object.entries(CONTENT_FIELDS).map(([name, described]) => ({ name, ...described, values: [] }));
}
