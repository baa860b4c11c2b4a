import { copyOf } from './shared-text.ts';

/** Ends each text of a hash: without it, "ab", "c" would equal "a", "bc". */
const END = 10;
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * FNV-1a, 32 bits. Kept in place of secrets, which findings do not need. Signed, because V8 gives unsigned numbers of
 * that size an object each.
 */
export function hashOf(text: string): number {
  let value = BASIS;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), PRIME);
  return Math.imul(value ^ END, PRIME);
}

/** Texts whose hashes are remembered: a client repeats its long cookies in each request. */
const MOST = 500;
const known = new Map<string, number>();

function repeatedHash(text: string): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const hash = hashOf(text);
  if (known.size >= MOST) known.clear();
  known.set(copyOf(text), hash);
  return hash;
}

/** One hash of several texts in their order, which other messages mostly repeat. */
export function identityOf(...texts: readonly (string | undefined)[]): number {
  let value = BASIS;
  for (const text of texts) value = Math.imul(value ^ repeatedHash(text ?? ''), PRIME);
  return value;
}
