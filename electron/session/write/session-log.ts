import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from '../format/sqlite.ts';

/** Of the log in `-wal` (sqlite.org/walformat.html). */
const LOG_HEAD = 32;
const FRAME_HEAD = 24;
/** A log whose checksums are sums of little-endian words, as on every platform of ours. */
const MAGIC = 0x377f0682;

/** Bytes of log that are checked. All of a longer one, at 250 MB a second here, would delay the end of a recording. */
const CHECKED = 64 * 1024 * 1024;
/** Bytes per read, at least. */
const PIECE = 1024 * 1024;

type Sums = [number, number];

/**
 * Frames of the log in use: those after them are left from before a checkpoint. Null: SQLite can't tell now, or is
 * older than 3.51, for which NOOP is an ordinary checkpoint. Asks SQLite, although its index (`-shm`) has the number
 * too: on POSIX, a process that closes any descriptor of that file loses all its locks on it
 * (sqlite.org/howtocorrupt.html, section 2.2), and other programs would take the session for one that nobody has open.
 */
export function framesInUse(database: DatabaseSync): number | null {
  const [major = 0, minor = 0] = String(database.prepare('SELECT sqlite_version() AS version').get()?.version).split(
    '.',
  );
  if (Number(major) < 3 || (Number(major) === 3 && Number(minor) < 51)) return null;
  const found = database.prepare('PRAGMA wal_checkpoint(NOOP)').get();
  return found?.busy === 0 && Number(found.log) >= 0 ? Number(found.log) : null;
}

/** Bytes that the log must have. */
export function bytesInUse(frames: number | null, pageSize: number): number {
  return frames === null || frames === 0 ? 0 : LOG_HEAD + frames * (FRAME_HEAD + pageSize);
}

/**
 * Whether the write-ahead log of the open session at `path` is as SQLite wrote it. SQLite checks a log only when it
 * opens one that a dead process left: it would copy what another program wrote there into the session file, over pages
 * that were intact. Throws the system's error.
 */
export function isLogIntact(path: string, frames: number | null): boolean {
  if (frames === null || frames === 0) return true;
  const log = openSync(`${path}-wal`, 'r');
  try {
    const head = read(log, 0, LOG_HEAD);
    if (head === null || head.readUInt32BE(0) !== MAGIC) return false;
    const sums = added([0, 0], head.subarray(0, 24));
    return areSums(sums, head, 24) && areFramesIntact(log, head, frames, sums);
  } finally {
    closeSync(log);
  }
}

function areSums([one, other]: Sums, bytes: Buffer, at: number): boolean {
  return one === bytes.readInt32BE(at) && other === bytes.readInt32BE(at + 4);
}

/** `before`: the sums of the log's head, with which those of its frames begin. */
function areFramesIntact(log: number, head: Buffer, frames: number, before: Sums): boolean {
  const size = FRAME_HEAD + head.readUInt32BE(8);
  const salt = head.subarray(16, 24);
  let sums = before;
  const checked = Math.min(frames, Math.floor(CHECKED / size));
  const atOnce = Math.ceil(PIECE / size);
  for (let first = 0; first < checked; first += atOnce) {
    const count = Math.min(atOnce, checked - first);
    const piece = read(log, LOG_HEAD + first * size, count * size);
    if (piece === null) return false;
    for (let at = 0; at < piece.length; at += size) {
      const frame = piece.subarray(at, at + size);
      sums = added(added(sums, frame.subarray(0, 8)), frame.subarray(FRAME_HEAD));
      if (!frame.subarray(8, 16).equals(salt) || !areSums(sums, frame, 16)) return false;
    }
  }
  return true;
}

/** SQLite's checksum, continued over `bytes`. */
function added([first, second]: Sums, bytes: Buffer): Sums {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let [one, other] = [first, second];
  for (let at = 0; at < words.length; at += 2) {
    one = (one + (words[at] as number) + other) | 0;
    other = (other + (words[at + 1] as number) + one) | 0;
  }
  return [one, other];
}

/** Null: the file has fewer bytes. */
function read(descriptor: number, position: number, length: number): Buffer | null {
  // Not from Node's pool, whose pieces may begin anywhere: the words of a checksum must be aligned.
  const bytes = Buffer.alloc(length);
  return readSync(descriptor, bytes, 0, length, position) < length ? null : bytes;
}
