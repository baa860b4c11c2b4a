/** A path's last part: `login.har`. */
export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** A path's last part without its extension: `login.roundtrip` becomes `login`. */
export function sessionName(path: string): string {
  return baseName(path).replace(/\.roundtrip$/, '');
}
