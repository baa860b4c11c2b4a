/** The unit of values of this magnitude: 250, 300 and 350 are round, and 3, 4 and 5. */
function unitOf(value: number): number {
  const digits = Math.floor(Math.log10(value)) + 1;
  return 10 ** digits * (digits === 1 ? 0.1 : 0.05);
}

/**
 * The end of an axis that begins at 0 and holds `most`: a value whose half is round too. `whole`: the half is a whole
 * number. 0 if there is nothing above 0.
 */
export function axisEnd(most: number, whole: boolean): number {
  if (most <= 0) return 0;
  const half = most / 2;
  const unit = unitOf(half);
  // Rounded, because 0.3 / 0.05 is more than 6.
  const round = Number((Math.ceil(Number((half / unit).toFixed(6))) * unit).toPrecision(6));
  return 2 * (whole ? Math.ceil(round) : round);
}
