/** Quotes any text for a POSIX shell. */
export function posixWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** In fish's single quotes a backslash and a quote are escaped, and nothing else. */
export function fishWord(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** A path as one word of a command line: for `cmd.exe` on Windows, else for a POSIX shell. */
export function shellWord(text: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // A Windows path contains no quotes; a % has no meaning unless a variable has that name.
  return platform === 'win32' ? `"${text}"` : posixWord(text);
}
