/** Quoted for a POSIX shell, whatever is in it. */
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
  // A Windows path has no quotes in it; a % in one means nothing where no variable is called so.
  return platform === 'win32' ? `"${text}"` : posixWord(text);
}
