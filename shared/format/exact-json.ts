/** A number that JavaScript may change: of 16 digits and more, or beyond 1e308. Texts begin otherwise. */
const INEXACT = /(?:^|[:[,])\s*-?(?:[\d.]{16}|[\d.]+[eE]\+?\d{3})/;

/** A number as its document writes it, where JavaScript would write another one. `JSON.stringify` writes it again. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** ECMAScript 2026, which TypeScript's library does not have yet. Safari has it since 18.4, Firefox since 135. */
interface ExactJson {
  rawJSON?(text: string): RawNumber;
  isRawJSON?(value: unknown): value is RawNumber;
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
const EXACT = JSON as ExactJson;

export function isRawNumber(value: unknown): value is RawNumber {
  return EXACT.isRawJSON?.(value) === true;
}

/**
 * `JSON.parse` that keeps numbers which JavaScript can't hold, such as identifiers of 64 bits. Throws as `JSON.parse`
 * does. A reviver takes ten times as long: only documents with such numbers need it.
 */
export function parseExactly(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!INEXACT.test(text)) return plain;
  try {
    return EXACT.parse(text, (_name, value, { source = '' }) =>
      typeof value === 'number' && String(value) !== source ? (EXACT.rawJSON?.(source) ?? value) : value,
    );
  } catch {
    // Nested deeper than a reviver can follow.
    return plain;
  }
}
