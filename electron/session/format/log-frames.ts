import { readSync } from 'node:fs';

/** Of the log in `-wal` (sqlite.org/walformat.html). */
const LOG_HEAD = 32;
const FRAME_HEAD = 24;
/** A log whose checksums are sums of little-endian words, as on every platform of ours. */
const MAGIC = 0x377f0682;
const PAGE_SIZES = new Set([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]);
/** Bytes per read, at least. */
const PIECE = 1024 * 1024;

type Sums = [number, number];

/** The head of a write-ahead log. */
export interface LogHead {
  /** Bytes of a frame. */
  size: number;
  /** Differs after each checkpoint that lets the log begin again. */
  salt: Buffer;
  /** Those with which the checksums of its frames begin. */
  sums: Sums;
}

/** Bytes of a log with this many frames. */
export function logSize(frames: number, pageSize: number): number {
  return frames === 0 ? 0 : LOG_HEAD + frames * (FRAME_HEAD + pageSize);
}

/** Frames that a log of this many bytes has, complete ones. */
export function framesIn(bytes: number, { size }: LogHead): number {
  return Math.max(0, Math.floor((bytes - LOG_HEAD) / size));
}

/** Null: it is not as SQLite writes it. */
export function readLogHead(log: number): LogHead | null {
  const head = read(log, 0, LOG_HEAD);
  if (head === null || head.readUInt32BE(0) !== MAGIC || !PAGE_SIZES.has(head.readUInt32BE(8))) return null;
  const sums = added([0, 0], head.subarray(0, 24));
  if (!areSums(sums, head, 24)) return null;
  return { size: FRAME_HEAD + head.readUInt32BE(8), salt: head.subarray(16, 24), sums };
}

/** The head of the frame with this number; null: the log ends before. */
export function readFrameHead(log: number, { size }: LogHead, frame: number): Buffer | null {
  return read(log, LOG_HEAD + frame * size, FRAME_HEAD);
}

/** Whether a transaction ends with this frame. */
export function isCommit(frameHead: Buffer): boolean {
  return frameHead.readUInt32BE(4) !== 0;
}

/** The salt of a frame. */
export function saltOf(frameHead: Buffer): Buffer {
  return frameHead.subarray(8, 16);
}

/** The number of the first frame, at most `end`, that is not as SQLite wrote it. Frames before `first` are good. */
export function firstBadFrame(log: number, head: LogHead, first: number, end: number): number {
  let sums = first === 0 ? head.sums : sumsOf(readFrameHead(log, head, first - 1));
  const atOnce = Math.ceil(PIECE / head.size);
  for (let frame = first; sums !== null && frame < end; ) {
    const count = Math.min(atOnce, end - frame);
    const piece = read(log, LOG_HEAD + frame * head.size, count * head.size);
    for (let at = 0; at < count; at += 1, frame += 1) {
      sums = piece && sumsAfter(sums, piece.subarray(at * head.size, (at + 1) * head.size), head.salt);
      if (sums === null) return frame;
    }
  }
  return sums === null ? first : end;
}

/** Null: the frame is not as SQLite wrote it. */
function sumsAfter(before: Sums, frame: Buffer, salt: Buffer): Sums | null {
  const sums = added(added(before, frame.subarray(0, 8)), frame.subarray(FRAME_HEAD));
  return saltOf(frame).equals(salt) && areSums(sums, frame, 16) ? sums : null;
}

function sumsOf(frameHead: Buffer | null): Sums | null {
  return frameHead && [frameHead.readInt32BE(16), frameHead.readInt32BE(20)];
}

function areSums([one, other]: Sums, bytes: Buffer, at: number): boolean {
  return one === bytes.readInt32BE(at) && other === bytes.readInt32BE(at + 4);
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
