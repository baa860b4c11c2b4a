/** How much a figure may grow. Both count together. */
export interface Tolerance {
  /** Of what it was. */
  share: number;
  /** In the figure's unit. */
  extra: number;
}

export interface Judged {
  what: string;
  /** What was measured, and what was allowed. */
  detail: string;
  ok: boolean;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * A figure is flat if the median of its last third exceeds that of its first third by no more than the tolerance.
 * Values from the warm-up are excluded. Medians, because one sample from a busy machine proves nothing.
 */
export function flat(what: string, values: readonly number[], { share, extra }: Tolerance, unit: string): Judged {
  const third = Math.max(1, Math.floor(values.length / 3));
  const first = median(values.slice(0, third));
  const last = median(values.slice(-third));
  const limit = first * (1 + share) + extra;
  const detail = `${first.toFixed(1)} -> ${last.toFixed(1)} ${unit}, at most ${limit.toFixed(1)}`;
  return { what, detail, ok: values.length >= 3 && last <= limit };
}

export function atMost(what: string, value: number, limit: number, unit: string): Judged {
  return { what, detail: `${value.toFixed(1)} ${unit}, at most ${limit.toFixed(1)}`, ok: value <= limit };
}
