import type { Change, ComparedRow, Comparison } from '../../../shared/model/compare/comparison.ts';

/**
 * Which entries the list shows. `added` ones are only in the later session, `gone` ones only in the earlier;
 * `different`: all but `unchanged`.
 */
export type Part = 'all' | 'different' | 'changed' | 'added' | 'gone' | 'unchanged';

/** A row of the comparison: an exchange of either session, or of both. */
export interface Entry {
  kind: Exclude<Part, 'all' | 'different'>;
  before: ComparedRow | null;
  after: ComparedRow | null;
  /** Empty unless `kind` is `changed`. */
  changes: readonly Change[];
}

/** The rows of one part, in order of time since the start of their session. */
export function entriesOf({ added, gone, changed, unchanged }: Comparison, part: Part): Entry[] {
  const all: Entry[] = [
    ...gone.map((before) => ({ kind: 'gone' as const, before, after: null, changes: [] })),
    ...added.map((after) => ({ kind: 'added' as const, before: null, after, changes: [] })),
    ...changed.map((pair) => ({ kind: 'changed' as const, ...pair })),
    ...unchanged.map((pair) => ({ kind: 'unchanged' as const, ...pair, changes: [] })),
  ];
  return all.filter(({ kind }) => isOf(kind, part)).sort((a, b) => startOf(a) - startOf(b));
}

function isOf(kind: Entry['kind'], part: Part): boolean {
  return part === 'all' || part === kind || (part === 'different' && kind !== 'unchanged');
}

/** How many exchanges differ. */
export function differing({ counts }: Comparison): number {
  return counts.changed + counts.added + counts.gone;
}

const KINDS = ['changed', 'added', 'gone', 'unchanged'] as const;

/** Which exchanges of a part the host left out of its lists, as a sentence; empty: none. */
export function unlisted(result: Comparison, part: Part): string {
  const cut = KINDS.filter((kind) => isOf(kind, part) && result[kind].length < result.counts[kind]);
  if (cut.length === 0) return '';
  const number = (count: number) => count.toLocaleString('en');
  const parts = cut.map((kind) => `the first ${number(result[kind].length)} of ${number(result.counts[kind])} ${kind}`);
  return `Listed: ${parts.join(', ')}. Ignore more, or use roundtrip compare, to see the others.`;
}

/** Milliseconds since the start of the session. */
export function startOf({ before, after }: Entry): number {
  return Math.min(before?.startedAfter ?? Number.POSITIVE_INFINITY, after?.startedAfter ?? Number.POSITIVE_INFINITY);
}

/** Milliseconds since the start of the session, at least of the later one. */
export function endOf({ before, after }: Entry): number {
  return Math.max(endOfRow(before), endOfRow(after));
}

/** A missing row ends at 0; a negative total is unknown and adds nothing. */
function endOfRow(row: ComparedRow | null): number {
  return row === null ? 0 : row.startedAfter + Math.max(row.total, 0);
}
