/** Quoted for a POSIX shell, whatever is in it. */
export function posixWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A path as one word of a command line: for `cmd.exe` on Windows, else for a POSIX shell. */
export function shellWord(text: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  // A Windows path has no quotes in it; a % in one means nothing where no variable is called so.
  return platform === 'win32' ? `"${text}"` : posixWord(text);
}
