import { scenariosNamed } from './all-scenarios.ts';
import { ratio, ratios, resultOf } from './outcome.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { ratioInterval } from './statistics.ts';

/** A ratio of the product to another contender, with its earlier value. */
export interface Compared {
  scenario: string;
  to: string;
  verdict: 'slower' | 'faster' | 'no difference';
  /** Its current and earlier value, with their uncertainty. */
  text: string;
}

/** `worse`: by how much; `noise`: how much of it is not significant. */
function verdictOf(worse: number, noise: number): Compared['verdict'] {
  if (worse > noise) return 'slower';
  return -worse > noise ? 'faster' : 'no difference';
}

const ours = (outcome: Outcome) => resultOf(outcome, 'roundtrip');

function withRecorded(scenario: Scenario, then: Outcome, now: Outcome, to: string): Compared[] {
  const was = ratio(ours(then), resultOf(then, to), scenario.metric);
  const is = ratio(ours(now), resultOf(now, to), scenario.metric);
  if (was === null || is === null) return [];
  const noise = Math.max(was.spread, is.spread);
  const worse = scenario.better === 'higher' ? was.median - is.median : is.median - was.median;
  const text = `${is.median.toFixed(2)}, was ${was.median.toFixed(2)} (noise ${noise.toFixed(2)})`;
  return [{ scenario: scenario.name, to, verdict: verdictOf(worse, noise), text }];
}

/**
 * Each ratio that both have: slower is worse than the recorded one by more than the rounds' interquartile range, of
 * then or now.
 */
export function againstRecorded(baseline: readonly Outcome[], outcomes: readonly Outcome[]): Compared[] {
  return outcomes.flatMap((now) => {
    const then = baseline.find(({ name }) => name === now.name);
    const [scenario] = scenariosNamed([now.name]);
    if (!then || !scenario) return [];
    return scenario.ratiosTo.flatMap((to) => withRecorded(scenario, then, now, to));
  });
}

/**
 * The ratio to another build of the product, `base`, that ran in the same rounds: any drift affects both. Slower means
 * unlikely to be chance: the 99 % interval of the rounds' ratios lies on the worse side of 1. Fewer than 8 rounds have
 * none.
 */
export function againstBase(base: string, outcomes: readonly Outcome[]): Compared[] {
  return outcomes.flatMap((outcome) => {
    const [scenario] = scenariosNamed([outcome.name]);
    if (!scenario) return [];
    const interval = ratioInterval(ratios(ours(outcome), resultOf(outcome, base), scenario.metric));
    if (interval === null) return [];
    const { low, middle, high } = interval;
    const [above, below] =
      scenario.better === 'higher' ? (['faster', 'slower'] as const) : (['slower', 'faster'] as const);
    const verdict = low > 1 ? above : high < 1 ? below : 'no difference';
    const text = `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
    return [{ scenario: scenario.name, to: base, verdict, text }];
  });
}
