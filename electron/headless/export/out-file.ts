import fs from 'node:fs';
import path from 'node:path';
import { BadArguments } from '../bad-arguments.ts';

/** The absolute path of `--out`. Throws `BadArguments` if it is one of the sources: the export would replace that. */
export function outFile(out: string, sources: readonly string[]): string {
  const wanted = inodeOf(out);
  const same = wanted === null ? undefined : sources.find((source) => inodeOf(source) === wanted);
  if (same !== undefined) throw new BadArguments(`--out would replace ${same}, which is exported: name another file`);
  return path.resolve(out);
}

/** Null: no such file, or one that is not regular, such as `/dev/stdout`. */
function inodeOf(file: string): string | null {
  const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? `${stats.dev} ${stats.ino}` : null;
}
