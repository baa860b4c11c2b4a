/** The last part of a path, on any system. */
export function nameOfFile(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
