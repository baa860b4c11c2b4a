import type { Query, RequiredText, TextField } from './query.ts';

const FIELDS: readonly (string | null)[] = ['host', 'path', 'url', 'method', 'scheme'] satisfies TextField[];

function isTextField(field: string | null): field is TextField {
  return FIELDS.includes(field);
}

/** What a term requires; null: nothing that is known before the term is asked. `value`: as in the term. */
export function requiredByTerm(field: string | null, value: string, quoted: boolean): RequiredText | null {
  if (!isTextField(field)) return null;
  const values = quoted ? [value] : value.split(',').filter((part) => part !== '');
  // Of a pattern, its longest part between stars.
  const anyOf = values.map((each) =>
    each
      .toLowerCase()
      .split('*')
      .reduce((longest, part) => (part.length > longest.length ? part : longest), ''),
  );
  return anyOf.length > 0 && anyOf.every((text) => text !== '') ? { field, anyOf } : null;
}

/**
 * What each row that a query matches must have, as alternatives: one of the texts of one of them is there. Of the
 * conditions that must all hold, `prefer` chooses one: the smallest number wins. Null: nothing is required.
 */
export function requiredTexts(
  query: Query,
  prefer: (required: RequiredText) => number,
): readonly RequiredText[] | null {
  if (query.kind === 'term') return query.requires === null ? null : [query.requires];
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
