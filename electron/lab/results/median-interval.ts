import { median } from '../../../shared/insight/figures.ts';
import type { LabInterval } from '../../../shared/model/lab/lab-result.ts';

/** Resamples of the bootstrap, and its two tails for 95 %. */
const RESAMPLES = 2000;
const TAIL = 0.025;

/** Seeded: the same runs always give the same interval. */
function randomNumbers(): () => number {
  let state = 0x2545f491;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

function resampled(numbers: readonly number[], random: () => number): number[] {
  return numbers.map(() => numbers[Math.floor(random() * numbers.length)] ?? Number.NaN);
}

function intervalOf(center: number, resample: (random: () => number) => number): LabInterval {
  const random = randomNumbers();
  const values = Array.from({ length: RESAMPLES }, () => resample(random)).toSorted((one, other) => one - other);
  const at = (share: number): number => values[Math.round(share * (RESAMPLES - 1))] ?? center;
  return { median: center, low: at(TAIL), high: at(1 - TAIL) };
}

/** The median with its 95 % percentile-bootstrap interval. */
export function medianInterval(numbers: readonly number[]): LabInterval {
  return intervalOf(median(numbers), (random) => median(resampled(numbers, random)));
}

/** How much lower the median of `ours` is than that of `theirs`, with its 95 % interval. Negative: it is higher. */
export function savedInterval(theirs: readonly number[], ours: readonly number[]): LabInterval {
  return intervalOf(
    median(theirs) - median(ours),
    (random) => median(resampled(theirs, random)) - median(resampled(ours, random)),
  );
}
