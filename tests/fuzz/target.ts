import type { Random } from './random.ts';

/** What is fuzzed: a reader of bytes, and what must hold for any input. */
export interface FuzzTarget {
  /** Also the folder of its corpus. */
  name: string;
  /** Building blocks of its inputs, besides the corpus. */
  words: readonly Buffer[];
  /** Initial inputs, besides the corpus: those in the tables of other tests. */
  seeds: readonly Buffer[];
  /**
   * Reads the input, whole and in pieces that `random` cuts. Throws if a property does not hold. Returns the outcome in
   * a few words: an input with a new outcome is kept as a basis for others.
   */
  run(bytes: Buffer, random: Random): string | Promise<string>;
}

/** A property that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a Violation if the two differ as JSON. */
export function same(what: string, one: unknown, other: unknown): void {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  if (left !== right) throw new Violation(`${what}: ${left?.slice(0, 600)} and ${right?.slice(0, 600)}`);
}

export function words(...texts: readonly string[]): Buffer[] {
  return texts.map((each) => Buffer.from(each, 'latin1'));
}

/** The first words of a message, without its numbers and quotations: messages about different bytes are of one kind. */
export function kindOf(message: string): string {
  const plain = message.replace(/"(?:[^"\\]|\\.)*"?/g, '"…"').replace(/\d+/g, 'N');
  return plain.split(' ', 5).join(' ');
}

/** What separates the parts of an HTTP/1.1 message, in the right places and in wrong ones. */
export const H1_SEPARATORS = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ' :',
  ',',
  ';',
  '\r\n ',
  'X: y\r\n',
] as const;
