/**
 * DHCP's texts come with a NUL or a line feed behind them from some servers. Null: it is no address of a file on the
 * web.
 */
export function webAddress(text: string | undefined): string | null {
  const url = (text ?? '').replace(/(?:\\000|\\0|\\n|[\0\s])+$/g, '').trim();
  return /^https?:\/\/[^\s"'<>]+$/i.test(url) ? url : null;
}
