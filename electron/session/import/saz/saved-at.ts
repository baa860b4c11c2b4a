/** MS-DOS' first day, which programs write that do not know the time. */
const FIRST_DAY = 0x21;

/**
 * The date and time of a file in an archive, milliseconds since the Unix epoch; null: it has none. They are local, and
 * count two seconds (APPNOTE 6.3.10, section 4.4.6).
 */
export function savedAt(date: number, time: number): number | null {
  const [month, day] = [(date >> 5) & 15, date & 31];
  if (date <= FIRST_DAY || month < 1 || month > 12 || day < 1) return null;
  return new Date(1980 + (date >> 9), month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime();
}
