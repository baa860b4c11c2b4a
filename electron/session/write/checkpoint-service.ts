import type { MessagePort } from 'node:worker_threads';
import { DatabaseSync } from '../format/sqlite.ts';

/** From the writer: null requests a checkpoint; a path means that the session continues in that file. */
export type ToCheckpoints = string | null;

/** The response to `null`: pages of the write-ahead log that are not in the session file yet. */
export type PagesLeft = number;

/**
 * The thread that checkpoints the write-ahead log of the session at `path`. Checkpoints wait for the disk; in the
 * writer they would delay rows and bodies. Ends with its port.
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
      // A full disk, for example. The writer runs into it too and reports it.
    }
    port.postMessage(left);
  });
  port.on('close', () => database?.close());
}

/** Checkpoints the pages that no reader still needs, without waiting. Returns the number of pages left. */
export function checkpoint(database: DatabaseSync): PagesLeft {
  const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
  return Number(log) - Number(checkpointed);
}
