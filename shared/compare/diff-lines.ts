export interface DiffLine {
  /** Its place in the comparison. */
  id: number;
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Changed lines at most. The search takes time and memory proportional to their square: a million numbers here. */
const MOST_CHANGES = 1000;

/**
 * The lines of two texts with the fewest changes: Myers, "An O(ND) Difference Algorithm and Its Variations" (1986). If
 * they differ in more than a thousand lines, all lines between the common beginning and end count as changed.
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const middle = changed(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const same = (text: string) => ({ kind: 'same' as const, text });
  const lines = [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
  return lines.map((line, id) => ({ id, ...line }));
}

type Line = Omit<DiffLine, 'id'>;

function changed(before: readonly string[], after: readonly string[]): Line[] {
  const rounds = search(before, after);
  if (rounds === null) {
    return [
      ...before.map((text) => ({ kind: 'removed' as const, text })),
      ...after.map((text) => ({ kind: 'added' as const, text })),
    ];
  }
  return backtrack(before, after, rounds);
}

/**
 * The furthest `x` on each diagonal `k` after each number of changes, at `k + changes`; null if there are too many
 * changes. `x` counts lines of `before`, `x - k` those of `after`.
 */
function search(before: readonly string[], after: readonly string[]): Int32Array[] | null {
  const rounds: Int32Array[] = [];
  const most = Math.min(before.length + after.length, MOST_CHANGES);
  for (let changes = 0; changes <= most; changes += 1) {
    const round = new Int32Array(2 * changes + 1);
    rounds.push(round);
    for (let k = -changes; k <= changes; k += 2) {
      let x = firstX(rounds[changes - 1], changes, k);
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      round[k + changes] = x;
      if (x >= before.length && x - k >= after.length) return rounds;
    }
  }
  return null;
}

/** Where a diagonal is reached by one more change than in `previous`. */
function firstX(previous: Int32Array | undefined, changes: number, k: number): number {
  if (previous === undefined) return 0;
  return isAdded(previous, changes, k) ? xOf(previous, changes - 1, k + 1) : xOf(previous, changes - 1, k - 1) + 1;
}

/** Whether that change adds a line rather than removes one. */
function isAdded(previous: Int32Array, changes: number, k: number): boolean {
  return k === -changes || (k !== changes && xOf(previous, changes - 1, k - 1) < xOf(previous, changes - 1, k + 1));
}

function xOf(round: Int32Array, changes: number, k: number): number {
  return round[k + changes] ?? 0;
}

function backtrack(before: readonly string[], after: readonly string[], rounds: readonly Int32Array[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  const same = (toX: number) => {
    for (; x > toX; x -= 1, y -= 1) lines.push({ kind: 'same', text: before[x - 1] ?? '' });
  };
  for (let changes = rounds.length - 1; changes > 0; changes -= 1) {
    const previous = rounds[changes - 1] ?? new Int32Array(1);
    const k = x - y;
    same(firstX(previous, changes, k));
    if (isAdded(previous, changes, k)) {
      y -= 1;
      lines.push({ kind: 'added', text: after[y] ?? '' });
    } else {
      x -= 1;
      lines.push({ kind: 'removed', text: before[x] ?? '' });
    }
  }
  same(0);
  return lines.reverse();
}
