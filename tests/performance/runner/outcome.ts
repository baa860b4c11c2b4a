import type { Outcome, Result, Round } from './scenario.ts';
import { median, spread } from './statistics.ts';

export interface Middle {
  median: number;
  /** The interquartile range of the rounds. */
  spread: number;
}

function middleOf(values: readonly number[]): Middle | null {
  const known = values.filter((value) => Number.isFinite(value));
  return known.length === 0 ? null : { median: median(known), spread: spread(known) };
}

export function resultOf(outcome: Outcome | undefined, contender: string): Result | undefined {
  return outcome?.results.find((result) => result.contender === contender);
}

/** Null if the contender took no part, was void, or has no such metric. */
export function middle(result: Result | undefined, metric: string): Middle | null {
  return middleOf((result?.rounds ?? []).map((round) => round[metric] ?? Number.NaN));
}

type Comparison = (here: Round, there: Round) => number;

function quotient(metric: string): Comparison {
  return (here, there) => (here[metric] ?? Number.NaN) / (there[metric] ?? Number.NaN);
}

/** Two contenders' rounds, one with one, since they ran one after the other. */
function paired(here: Result | undefined, there: Result | undefined, of: Comparison): number[] {
  if (!here || !there) return [];
  return here.rounds.flatMap((round, at) => (there.rounds[at] ? [of(round, there.rounds[at])] : []));
}

export function compare(here: Result | undefined, there: Result | undefined, of: Comparison): Middle | null {
  return middleOf(paired(here, there, of));
}

export function ratio(here: Result | undefined, there: Result | undefined, metric: string): Middle | null {
  return compare(here, there, quotient(metric));
}

/** Each round's. */
export function ratios(here: Result | undefined, there: Result | undefined, metric: string): number[] {
  return paired(here, there, quotient(metric)).filter((value) => Number.isFinite(value));
}
