/** Seconds since midnight. */
function secondOf(hour: number, minute: number, second: number): number {
  return hour * 3600 + minute * 60 + second;
}

/**
 * A PAC file's `timeRange`, as Firefox and Chromium have it: an hour as an end is meant whole, 9 to 17 is until 17:59:59, and
 * from minutes on a range may pass midnight. `args`: hour; two hours; twice hour and minute; or twice hour, minute and second;
 * with `'GMT'` behind them if it is not the local time. Any other number of them is no time.
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
