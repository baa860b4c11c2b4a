/**
 * `1,234`: a whole number with commas. Without `Intl`, whose data a browser loads for the first format: it took the
 * window up to 10 ms before its first rows.
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `9000`, `12k`, `1.2M`: a round number, where there is little room. */
export function shortCount(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${count / 1000}k` : `${count / 1_000_000}M`;
}

/** `1 exchange`, `1,234 exchanges`: the number with its noun, which gets an `s` if it needs one. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `once`, `1,234 times`. */
export function timesInWords(count: number): string {
  return count === 1 ? 'once' : `${grouped(count)} times`;
}
