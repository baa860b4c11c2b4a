import type { FailureSide } from '../../shared/model/failure.ts';

/** The definition of one code: the side at fault, and the sentence for the user. */
export interface Entry<A> {
  side: FailureSide;
  sentence: (about: A) => string;
}

export function entry<A = Record<never, never>>(side: FailureSide, sentence: (about: A) => string): Entry<A> {
  return { side, sentence };
}

export type Address = { address: string };
export type Detail = { detail: string };
export type Certificate = { host: string; subject: string; detail: string };
