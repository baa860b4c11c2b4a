import fs from 'node:fs';
import path from 'node:path';

/**
 * Moves the finished folder to `place` in one step: an interrupted run leaves nothing there that looks complete. If
 * another process was first and `place` has the file `needed`, its folder stays, and ours is removed. Throws what the
 * file system throws.
 */
export function publishFolder(finished: string, place: string, needed: string): void {
  try {
    fs.renameSync(finished, place);
  } catch (error) {
    // ENOTEMPTY or EEXIST, by system; EPERM on Windows.
    if (!fs.existsSync(path.join(place, needed))) throw error;
    fs.rmSync(finished, { recursive: true, force: true });
  }
}
