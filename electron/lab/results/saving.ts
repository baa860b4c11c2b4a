import {
  FEWEST_LAB_RUNS,
  type LabCell,
  type LabInterval,
  type LabSaving,
  type LabVariant,
  VARIANT_NAMES,
} from '../../../shared/model/lab/lab-result.ts';
import { baselineOf } from '../variants.ts';
import { savedInterval } from './median-interval.ts';

function range(from: number, to: number): string {
  return `${Math.round(from)} to ${Math.round(to)}`;
}

/** `HTTP/2 would save 310 ms (280 to 345) at 100 ms`. `runs`: of each side. */
export function savingSentence(
  variant: LabVariant,
  { median, low, high }: LabInterval,
  rtt: number,
  runs: number,
): string {
  const name = VARIANT_NAMES[variant];
  const place = `at ${rtt} ms`;
  if (runs < FEWEST_LAB_RUNS) {
    const change = `${Math.round(Math.abs(median))} ms ${median < 0 ? 'lost' : 'saved'}`;
    return `${name}: ${change} ${place}; ${FEWEST_LAB_RUNS} runs are needed for an interval`;
  }
  if (low > 0) return `${name} would save ${Math.round(median)} ms (${range(low, high)}) ${place}`;
  if (high < 0) return `${name} would cost ${Math.round(-median)} ms (${range(-high, -low)}) ${place}`;
  return `${name} makes no measurable difference (${range(low, high)} ms saved) ${place}`;
}

/** Compares each cell with the baseline at the same round-trip time, if that was measured. */
export function savingsOf(cells: readonly LabCell[], wasHttp2: boolean): LabSaving[] {
  return cells.flatMap(({ variant, rtt, times }) => {
    const baseline = baselineOf(variant, wasHttp2);
    const other = cells.find((cell) => cell.variant === baseline && cell.rtt === rtt);
    if (baseline === variant || other === undefined) return [];
    const saved = savedInterval(other.times, times);
    return [{ variant, baseline, rtt, saved, sentence: savingSentence(variant, saved, rtt, times.length) }];
  });
}
