import { QueryError } from './query.ts';

interface Place {
  position: number;
  length: number;
}

/**
 * `quoted`: whole or in part; it is then neither operator nor comparison. `field` is lower case, null for free text.
 */
export type Token = Place &
  ({ kind: '(' | ')' | 'or' | 'and' | 'not' } | { kind: 'term'; field: string | null; value: string; quoted: boolean });

const OPERATORS = new Map<string, 'or' | 'and' | 'not'>([
  ['OR', 'or'],
  ['AND', 'and'],
  ['NOT', 'not'],
]);

/** Splits a query. Operators are upper case: `or` can be searched for. Throws `QueryError`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (/\s/.test(char)) at += 1;
    else {
      const token = isMark(text, at) ? markAt(text, at) : termAt(text, at);
      tokens.push(token);
      at += token.length;
    }
  }
  return tokens;
}

function isMark(text: string, at: number): boolean {
  const char = text[at];
  return char === '(' || char === ')' || (char === '-' && /[^\s)]/.test(text[at + 1] ?? ' '));
}

function markAt(text: string, position: number): Token {
  const char = text[position];
  return { kind: char === '(' || char === ')' ? char : 'not', position, length: 1 };
}

function termAt(text: string, position: number): Token {
  const name = /^([A-Za-z][A-Za-z-]*):(?!\/\/)/.exec(text.slice(position));
  const start = position + (name?.[0].length ?? 0);
  const { value, end, quoted } = valueAt(text, start);
  const place = { position, length: end - position };
  const operator = name === null && !quoted ? OPERATORS.get(value) : undefined;
  if (operator !== undefined) return { kind: operator, ...place };
  return { kind: 'term', field: name?.[1]?.toLowerCase() ?? null, value, quoted, ...place };
}

/** Up to a blank or a parenthesis outside quotes; in quotes, a backslash escapes the next character. */
function valueAt(text: string, start: number): { value: string; end: number; quoted: boolean } {
  let value = '';
  let quoted = false;
  let at = start;
  while (at < text.length && !/[\s()]/.test(text[at] ?? '')) {
    if (text[at] === '"') {
      const inner = quotedAt(text, at);
      value += inner.value;
      quoted = true;
      at = inner.end;
    } else value += text[at++];
  }
  return { value, end: at, quoted };
}

function quotedAt(text: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
  }
  const place = { position: start, length: 1 };
  throw new QueryError('This quotation mark is never closed: add another " at the end.', place, 'at-end');
}
