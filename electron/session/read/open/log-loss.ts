import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Failure } from '../../../../shared/model/failure.ts';
import { failure } from '../../../failures/errors.ts';
import {
  firstBadFrame,
  framesIn,
  isCommit,
  type LogHead,
  readFrameHead,
  readLogHead,
  saltOf,
} from '../../format/log-frames.ts';

/** SQLite counts in the salt how often a log began again: at most this often. */
const MOST_BEGINNINGS = 1_000_000;
/** The place of the number of frames in the index of a log (`-shm`): sqlite.org/walformat.html, section 2.1. */
const FRAMES_AT = 16;

/**
 * `session.log-damaged` if SQLite could not recover everything from the log at `log`, which a killed recorder left.
 * `copy`: the copy in which it recovered the session.
 */
export function lossOf(log: string, copy: string): Failure | null {
  // SQLite removes a log that it can't use.
  const hasIndex = statSync(`${copy}-shm`, { throwIfNoEntry: false }) !== undefined;
  const recovered = hasIndex ? readFileSync(`${copy}-shm`).readUInt32LE(FRAMES_AT) : 0;
  return lossAfter(log, recovered, Number.POSITIVE_INFINITY);
}

/** As above, without recovering it: null also for a log of more than `limit` bytes, which takes long to read. */
export function lossIn(log: string, limit: number): Failure | null {
  return lossAfter(log, 0, limit);
}

function lossAfter(log: string, recovered: number, limit: number): Failure | null {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || size > limit) return null;
  const descriptor = openSync(log, 'r');
  try {
    return hasBadFrame(descriptor, size, recovered) ? failure('session.log-damaged', {}) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** `good`: frames that need no check. */
function hasBadFrame(log: number, size: number, good: number): boolean {
  const head = readLogHead(log);
  if (head === null) return true;
  const end = framesIn(size, head);
  for (let at = firstBadFrame(log, head, good, end); at < end; at += 1) {
    const frame = readFrameHead(log, head, at);
    if (frame === null || isFormer(frame, head)) return false;
    if (isCommit(frame) || !saltOf(frame).equals(head.salt)) return true;
  }
  // They are left from a transaction that did not succeed, on a full disk for example, and the next one was shorter.
  return false;
}

/** Whether a frame is left from before the log began again. */
function isFormer(frameHead: Buffer, { salt }: LogHead): boolean {
  const before = (salt.readUInt32BE(0) - saltOf(frameHead).readUInt32BE(0)) >>> 0;
  return before > 0 && before <= MOST_BEGINNINGS;
}
