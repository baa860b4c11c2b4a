/** Seconds since midnight. */
function secondOf(hour: number, minute: number, second: number): number {
  return hour * 3600 + minute * 60 + second;
}

/**
 * A PAC file's `timeRange`, as in Firefox and Chromium. `args`: an hour; two hours; two pairs of hour and minute; or
 * two triples of hour, minute and second. A final `'GMT'` selects GMT instead of local time. A range of hours includes
 * its last hour: 9 to 17 ends at 17:59:59. Ranges with minutes may pass midnight. Returns false for any other number of
 * arguments.
 */
export function timeRange(args: readonly unknown[], now: Date): boolean {
  const gmt = args.at(-1) === 'GMT';
  const numbers = (gmt ? args.slice(0, -1) : args).map(Number);
  const hour = gmt ? now.getUTCHours() : now.getHours();
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  if (numbers.length === 1) return hour === a;
  if (numbers.length === 2) return a <= hour && hour <= b;
  if (numbers.length !== 4 && numbers.length !== 6) return false;
  const at = secondOf(hour, gmt ? now.getUTCMinutes() : now.getMinutes(), now.getSeconds());
  const [from, to] =
    numbers.length === 4 ? [secondOf(a, b, 0), secondOf(c, d, 59)] : [secondOf(a, b, c), secondOf(d, e, f)];
  return from <= to ? from <= at && at <= to : from <= at || at <= to;
}
