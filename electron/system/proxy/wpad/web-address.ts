/**
 * Some DHCP servers append a NUL or a line feed to the text. Null: it is not an http or https URL.
 */
export function webAddress(text: string | undefined): string | null {
  const url = (text ?? '').replace(/(?:\\000|\\0|\\n|[\0\s])+$/g, '').trim();
  return /^https?:\/\/[^\s"'<>]+$/i.test(url) ? url : null;
}
