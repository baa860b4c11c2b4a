import { type Change, type ChangeKind, COMPARED_PHASES } from '../model/compare/comparison.ts';
import type { ExchangeSummary } from '../model/exchange-summary.ts';

/** Milliseconds. The same request takes a different time on each run: less than this is noise. */
const LEAST_DIFFERENCE = 50;
/** Less than half of the phase's earlier time does not count either. */
const LEAST_SHARE = 0.5;

/** How a matched exchange differs from its counterpart, except in what is ignored. Empty: no difference. */
export function changesBetween(
  before: ExchangeSummary,
  after: ExchangeSummary,
  ignored: ReadonlySet<ChangeKind>,
): Change[] {
  const changes: Change[] = [];
  const compare = (what: Exclude<ChangeKind, 'phases'>, of: (row: ExchangeSummary) => Change['before']) => {
    const [was, is] = [of(before), of(after)];
    if (was !== is && !ignored.has(what)) changes.push({ what, before: was, after: is });
  };
  compare('status', (row) => known(row.status, 1));
  compare('failure', (row) => row.failureCode);
  compare('type', (row) => (row.mediaType === '' ? null : row.mediaType));
  // Imported sessions may not know these; then there is nothing to compare.
  if (before.protocol !== 'unknown' && after.protocol !== 'unknown') compare('protocol', (row) => row.protocol);
  if (before.responseSize >= 0 && after.responseSize >= 0) compare('size', (row) => row.responseSize);
  return ignored.has('phases') ? changes : [...changes, ...changedPhases(before, after)];
}

function changedPhases(before: ExchangeSummary, after: ExchangeSummary): Change[] {
  // Without any time, there is nothing to compare; without phases, only the time in all.
  if (before.total < 0 || after.total < 0) return [];
  if (before.timings.unsplit >= 0 || after.timings.unsplit >= 0) return changedTime('total', before.total, after.total);
  return COMPARED_PHASES.flatMap((what) => changedTime(what, before.timings[what], after.timings[what]));
}

function changedTime(what: Change['what'], was: number, is: number): Change[] {
  // A phase that did not take place took no time.
  const difference = Math.abs(Math.max(is, 0) - Math.max(was, 0));
  if (difference < LEAST_DIFFERENCE || difference < Math.max(was, 0) * LEAST_SHARE) return [];
  return [{ what, before: known(was, 0), after: known(is, 0) }];
}

function known(value: number, least: number): number | null {
  return value < least ? null : value;
}
