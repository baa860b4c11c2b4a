export interface DiffLine {
  /** Its place in the comparison. */
  id: number;
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * The lines of two texts with the fewest changes, by their longest common subsequence. Quadratic: for heads, which have
 * some dozens of lines.
 */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = commonLengths(before, after);
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old = '', next = ''] = [before[row], after[column]];
    if (row < before.length && column < after.length && old === next) {
      lines.push({ id: lines.length, kind: 'same', text: old });
      row += 1;
      column += 1;
    } else if (column === after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ id: lines.length, kind: 'removed', text: old });
      row += 1;
    } else {
      lines.push({ id: lines.length, kind: 'added', text: next });
      column += 1;
    }
  }
  return lines;
}

/** `lengths[row][column]`: lines that the rests of both texts, from there on, have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const below = lengths[row + 1] ?? [];
      const same = before[row] === after[column];
      const most = Math.max(below[column] ?? 0, lengths[row]?.[column + 1] ?? 0);
      (lengths[row] ?? [])[column] = same ? (below[column + 1] ?? 0) + 1 : most;
    }
  }
  return lengths;
}
