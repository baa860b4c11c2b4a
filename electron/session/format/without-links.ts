import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Links that Linux follows, too. */
const MOST_LINKS = 40;

/**
 * The file that a path leads to, which may not exist yet. SQLite follows links and keeps the log next to the file: with
 * the link's name, we would look for the log in the wrong place, and two recordings could write to one file. Never
 * throws: what can't be followed is returned as it is, and opening it reports the reason.
 */
export function withoutLinks(file: string): string {
  let found = file;
  try {
    for (let links = 0; lstatSync(found, { throwIfNoEntry: false })?.isSymbolicLink() === true; links += 1) {
      if (links === MOST_LINKS) return file;
      found = path.resolve(realpathSync(path.dirname(found)), readlinkSync(found));
    }
    return found;
  } catch {
    return file;
  }
}
