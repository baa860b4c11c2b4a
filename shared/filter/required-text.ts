import type { Query, RequiredText, TextField } from './query.ts';

const FIELDS: readonly (string | null)[] = ['host', 'path', 'url', 'method', 'scheme'] satisfies TextField[];

function isTextField(field: string | null): field is TextField {
  return FIELDS.includes(field);
}

/** What a term requires; null: nothing is known before the term is evaluated. `value`: as in the term. */
export function requiredByTerm(field: string | null, value: string, quoted: boolean): RequiredText | null {
  if (!isTextField(field)) return null;
  const values = quoted ? [value] : value.split(',').filter((part) => part !== '');
  // The longest part of a pattern between stars.
  const anyOf = values.map((each) => longest(each.toLowerCase().split('*')));
  return anyOf.length > 0 && anyOf.every((text) => text !== '') ? { field, anyOf } : null;
}

/**
 * What a term about fields or cookies requires: a text in one of their lines `name: value`. A cookie may have spaces
 * around its `=`: what follows that is the rarer part. One character is in nearly every line.
 */
export function requiredInFields(field: 'header' | 'cookie', value: string): RequiredText | null {
  const text = longest(value.toLowerCase().split('*'));
  const [name = '', ...rest] = field === 'cookie' ? text.split('=').map((part) => part.trim()) : [text];
  const rarest = rest.reduce((best, part) => (part.length > 2 ? part : best), name);
  return rarest.length < 2 ? null : { field: field === 'cookie' ? 'cookies' : 'fields', anyOf: [rarest] };
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}

/**
 * What each matching row must have, as alternatives: it has one of the texts of one of them. From conditions that must
 * all hold, `prefer` chooses one: the smallest number wins. Null: nothing is required.
 */
export function requiredTexts(
  query: Query,
  prefer: (required: RequiredText) => number,
): readonly RequiredText[] | null {
  if (query.kind === 'term' || query.kind === 'content') return query.requires === null ? null : [query.requires];
  if (query.kind === 'or') {
    const parts = query.parts.map((part) => requiredTexts(part, prefer));
    return parts.every((part) => part !== null) ? parts.flat() : null;
  }
  if (query.kind !== 'and') return null;
  const weight = (texts: readonly RequiredText[]) => texts.reduce((sum, each) => sum + prefer(each), 0);
  const parts = query.parts.flatMap((part) => {
    const texts = requiredTexts(part, prefer);
    return texts === null ? [] : [texts];
  });
  return parts.reduce<readonly RequiredText[] | null>(
    (best, texts) => (best === null || weight(texts) < weight(best) ? texts : best),
    null,
  );
}
