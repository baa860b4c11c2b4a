import type { Contender } from './contender.ts';
import { baselineOf, savedEntries } from './history.ts';
import { machine } from './machine.ts';
import type { Outcome } from './scenario.ts';
import { againstBase, againstRecorded, type Compared } from './slow-downs.ts';
import { type Target, verdicts } from './targets.ts';

const NOTHING_BESIDE =
  'there is nothing to compare with: record a run of this kind with --save, or name a commit and 8 rounds or ' +
  'more (--base HEAD~1 --rounds 25)';

/** Prints which scenarios failed for a build to compare. True: none did. */
function isWhole(outcomes: readonly Outcome[], base: Contender | null): boolean {
  const failed = outcomes.flatMap(({ name, results }) =>
    results
      .filter(({ contender, failure }) => failure !== null && ['roundtrip', base?.name].includes(contender))
      .map(({ contender, failure }) => `void: ${name}, ${contender}: ${failure}`),
  );
  for (const line of failed) console.log(line);
  return failed.length === 0;
}

/** Prints what is slower. True: nothing is. A run without anything to compare with does not pass. */
function isAsFast(found: readonly Compared[], base: Contender | null): boolean {
  for (const { scenario, to, verdict, text } of found) {
    if (base || verdict === 'slower') console.log(`${verdict}: ${scenario}, x ${to}: ${text}`);
  }
  if (found.length === 0) console.log(NOTHING_BESIDE);
  const slower = new Set(found.filter(({ verdict }) => verdict === 'slower').map(({ scenario }) => scenario));
  if (!base && slower.size > 0)
    console.log(`the machine or the change? npm run bench -- --base COMMIT --scenario ${[...slower].join(',')} tells`);
  return found.length > 0 && slower.size === 0;
}

/** Prints which of the targets in `counts` are missed. True: none. */
function meetsTargets(outcomes: readonly Outcome[], counts: (target: Target) => boolean = () => true): boolean {
  const missed = verdicts(outcomes).filter(({ met, target }) => !met && counts(target));
  for (const { target, value } of missed) {
    console.log(`missed: ${target.scenario}, ${target.text}: ${value.toFixed(2)}, ${target.is} ${target.limit}`);
  }
  return missed.length === 0;
}

/** As good as the recorded run: by its ratios, and by the targets that it met, such as memory. */
function isAsRecorded(outcomes: readonly Outcome[], baseline: readonly Outcome[]): boolean {
  const met = new Set(verdicts(baseline).flatMap((each) => (each.met ? [each.target] : [])));
  const asFast = isAsFast(againstRecorded(baseline, outcomes), null);
  return meetsTargets(outcomes, (target) => met.has(target)) && asFast;
}

/** What a run should assert. */
export interface Asked {
  /** That the product is not slower than before, nor misses a target that it met. */
  check: boolean;
  /** That it meets its targets. */
  targets: boolean;
  quick: boolean;
}

/**
 * Prints the findings of a run beyond its tables. False: an assertion failed, or it measured nothing. `baseline`: what
 * it is compared with if there is no `base`.
 */
export function passes(
  asked: Asked,
  outcomes: readonly Outcome[],
  base: Contender | null,
  baseline: readonly Outcome[] = baselineOf(savedEntries(), machine(), asked.quick),
): boolean {
  const whole = asked.check || base ? isWhole(outcomes, base) : true;
  const asFast = base
    ? isAsFast(againstBase(base.name, outcomes), base)
    : !asked.check || isAsRecorded(outcomes, baseline);
  const met = asked.targets ? meetsTargets(outcomes) : true;
  const measured = outcomes.some(({ results }) => results.some(({ rounds }) => rounds.length > 0));
  return ((whole && asFast) || !asked.check) && met && measured;
}
