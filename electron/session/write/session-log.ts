import { closeSync, openSync, readSync } from 'node:fs';

/** Of the index in `-shm` and of the log in `-wal` (sqlite.org/walformat.html). */
const INDEX_HEAD = 48;
const LOG_HEAD = 32;
const FRAME_HEAD = 24;
/** A log whose checksums are sums of little-endian words, as on every platform of ours. */
const MAGIC = 0x377f0682;

/** Bytes of log that are checked. All of a longer one, at 250 MB a second here, would delay the end of a recording. */
const CHECKED = 64 * 1024 * 1024;
/** Bytes per read, at least. */
const PIECE = 1024 * 1024;

type Sums = [number, number];

/** What SQLite knows about the log, from the index that all connections share. */
export interface LogIndex {
  /** In use: those after them are left from before a checkpoint. */
  frames: number;
  /** Bytes of a frame. */
  size: number;
  /** The same in the log and each of its frames. */
  salt: Buffer;
}

/**
 * The index of the log of a session that this process has open. On POSIX, all locks of a process on a file end when it
 * closes any descriptor of it (sqlite.org/howtocorrupt.html, section 2.2), and other programs would take the session
 * for one that nobody has open: this descriptor stays open until the process ends. On Windows, locks belong to handles.
 */
export class LogIndexFile {
  readonly #path: string;
  readonly #descriptor: number | null;

  constructor(sessionPath: string) {
    this.#path = `${sessionPath}-shm`;
    this.#descriptor = process.platform === 'win32' ? null : opened(this.#path);
  }

  /** Null: there is no index, another program cut it, or it can't be read now: too many files may be open. */
  read(): LogIndex | null {
    const head = this.#descriptor === null ? firstBytes(this.#path, INDEX_HEAD) : read(this.#descriptor, 0, INDEX_HEAD);
    if (head === null) return null;
    return { frames: head.readUInt32LE(16), size: FRAME_HEAD + head.readUInt16LE(14), salt: head.subarray(32, 40) };
  }
}

/** Bytes that the log must have. */
export function bytesInUse(index: LogIndex | null): number {
  return index === null || index.frames === 0 ? 0 : LOG_HEAD + index.frames * index.size;
}

/**
 * Whether the write-ahead log of the open session at `path` is as SQLite wrote it. SQLite checks a log only when it
 * opens one that a dead process left: it would copy what another program wrote there into the session file, over pages
 * that were intact. Throws the system's error.
 */
export function isLogIntact(path: string, index: LogIndex | null): boolean {
  if (index === null || index.frames === 0) return true;
  const log = openSync(`${path}-wal`, 'r');
  try {
    const head = read(log, 0, LOG_HEAD);
    if (head === null || head.readUInt32BE(0) !== MAGIC || !head.subarray(16, 24).equals(index.salt)) return false;
    return areFramesIntact(log, head, index);
  } finally {
    closeSync(log);
  }
}

function areFramesIntact(log: number, head: Buffer, { frames, size, salt }: LogIndex): boolean {
  let sums: Sums = [head.readInt32BE(24), head.readInt32BE(28)];
  const checked = Math.min(frames, Math.floor(CHECKED / size));
  const atOnce = Math.ceil(PIECE / size);
  for (let first = 0; first < checked; first += atOnce) {
    const count = Math.min(atOnce, checked - first);
    const piece = read(log, LOG_HEAD + first * size, count * size);
    if (piece === null) return false;
    for (let at = 0; at < piece.length; at += size) {
      const frame = piece.subarray(at, at + size);
      sums = added(added(sums, frame.subarray(0, 8)), frame.subarray(FRAME_HEAD));
      if (!frame.subarray(8, 16).equals(salt)) return false;
      if (sums[0] !== frame.readInt32BE(16) || sums[1] !== frame.readInt32BE(20)) return false;
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

function opened(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}

/** On Windows only: see `LogIndexFile`. */
function firstBytes(file: string, length: number): Buffer | null {
  const descriptor = opened(file);
  if (descriptor === null) return null;
  try {
    return read(descriptor, 0, length);
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

/** Null: the file has fewer bytes. */
function read(descriptor: number, position: number, length: number): Buffer | null {
  // Not from Node's pool, whose pieces may begin anywhere: the words of a checksum must be aligned.
  const bytes = Buffer.alloc(length);
  return readSync(descriptor, bytes, 0, length, position) < length ? null : bytes;
}
