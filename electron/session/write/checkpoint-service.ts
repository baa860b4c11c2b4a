import { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';

/** From the writer: null asks for a checkpoint, a path says that the session goes on in that file. */
export type ToCheckpoints = string | null;

/** The answer to `null`: with how many pages of the write-ahead log are not in the session file yet. */
export type PagesLeft = number;

/**
 * The thread that takes the write-ahead log of the session at `path` into its file, beside the writer: that waits for the
 * disk, and the writer would hold up rows and bodies meanwhile. Ends with its port.
 */
export function serveCheckpoints(path: string, port: MessagePort): void {
  let database: DatabaseSync | null = null;
  let file = path;
  port.on('message', (message: ToCheckpoints) => {
    if (message !== null) {
      if (message !== file) database?.close();
      if (message !== file) database = null;
      file = message;
      return;
    }
    let left: PagesLeft = Number.POSITIVE_INFINITY;
    try {
      database ??= new DatabaseSync(file);
      left = checkpoint(database);
    } catch {
      // A full disk: the writer meets it too, and says so.
    }
    port.postMessage(left);
  });
  port.on('close', () => database?.close());
}

/** Takes in what no reader still needs, and waits for nobody. Returns how many pages are left. */
export function checkpoint(database: DatabaseSync): PagesLeft {
  const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
  return Number(log) - Number(checkpointed);
}
