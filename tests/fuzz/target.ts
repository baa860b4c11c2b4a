import type { Random } from './random.ts';

/** What is fuzzed: a reader of bytes, and what must hold for any input. */
export interface FuzzTarget {
  /** Also the folder of its corpus. */
  name: string;
  /** What its inputs are made of, besides the corpus. */
  words: readonly Buffer[];
  /** Inputs to begin with, besides the corpus: those in the tables of other tests. */
  seeds: readonly Buffer[];
  /**
   * Reads the input, whole and in pieces that `random` cuts. Throws if a property does not hold. Returns what became of
   * it in a few words: an input that comes to something new is kept to make others of.
   */
  run(bytes: Buffer, random: Random): string | Promise<string>;
}

/** A property that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a Violation where the two are not the same, as JSON shows them. */
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
