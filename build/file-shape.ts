import path from 'node:path';
import type { ModuleFacts } from './module-imports.ts';
import type { Breach } from './rooms.ts';

/** A folder with more files than this has more than one idea. */
const MOST_FILES = 20;
/** Lines. A longer file has more than one idea. */
const MOST_LINES = 400;
/** Characters. Biome wraps code there, but neither comments nor text. */
const MOST_COLUMNS = 120;
/** Percent of the lines that are not blank. Readers of these folders most often ask why something is done this way. */
const LEAST_COMMENTS = 12;
export const COMMENTED = ['electron/engine', 'renderer'];

/** Lines of a text, without the empty one that follows the last line break. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function longFiles(texts: ReadonlyMap<string, string>): Breach[] {
  return [...texts]
    .map(([file, text]) => ({ file, count: linesOf(text).length }))
    .filter(({ count }) => count > MOST_LINES)
    .map(({ file, count }) => ({ file, line: count, message: `${count} lines, and ${MOST_LINES} is the most` }));
}

export function wideLines(texts: ReadonlyMap<string, string>): Breach[] {
  return [...texts].flatMap(([file, text]) =>
    linesOf(text).flatMap((line, index) => {
      const columns = line.length > MOST_COLUMNS ? [...line].length : 0;
      if (columns <= MOST_COLUMNS) return [];
      return [{ file, line: index + 1, message: `${columns} columns, and ${MOST_COLUMNS} is the most` }];
    }),
  );
}

/** How many of these files each folder holds, without those of its subfolders. */
export function folderSizes(files: readonly string[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return sizes;
}

export function fullFolders(files: readonly string[]): Breach[] {
  return [...folderSizes(files)]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => ({
      file: folder,
      line: 1,
      message: `has ${count} files, and ${MOST_FILES} is the most`,
    }));
}

/** Percent of the lines in a folder that hold a comment; blank lines don't count. NaN if there are no lines. */
export function commentShare(folder: string, sources: ReadonlyMap<string, ModuleFacts>): number {
  let [commented, all] = [0, 0];
  for (const [file, { lines, commentLines }] of sources) {
    if (!file.startsWith(`${folder}/`)) continue;
    commented += commentLines;
    all += lines;
  }
  return (commented / all) * 100;
}

export function fewComments(sources: ReadonlyMap<string, ModuleFacts>): Breach[] {
  return COMMENTED.map((folder) => ({ folder, share: commentShare(folder, sources) }))
    .filter(({ share }) => share < LEAST_COMMENTS)
    .map(({ folder, share }) => ({
      file: folder,
      line: 1,
      message: `${share.toFixed(1)} % of its lines hold a comment, and ${LEAST_COMMENTS} % is the least`,
    }));
}
