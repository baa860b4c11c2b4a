import { closeSync, constants, copyFileSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Inode, isOf, lockable, ownDescriptors } from '../../files/locked-here.ts';

/** Bytes per read of a copy. */
const PIECE = 1024 * 1024;

/**
 * Calls `read` with a descriptor of the database file at `file`, and may call it twice.
 *
 * On POSIX, a process that closes any descriptor of a file loses all its locks on that file
 * (sqlite.org/howtocorrupt.html, section 2.2): other programs would take a session that we record or follow for one
 * that nobody has open. If SQLite has the file open in any of our threads, its descriptor is used, and stays open.
 * Write-ahead logs have no locks. Throws the system's error.
 */
export function withDescriptor<T>(file: string, read: (descriptor: number) => T): T {
  const held = heldDescriptor(file);
  if (held !== null) {
    const result = attempt(held, read);
    if (result !== null) return result.value;
  }
  const own = openSync(file, 'r');
  try {
    return read(own);
  } finally {
    closeSync(own);
  }
}

/** Copies a database file to a new file at `target`, and keeps our locks as above. Throws the system's error. */
export function copyLocked(file: string, target: string): void {
  const steps = copySteps(file, target);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  // Costs nothing on file systems that share blocks between copies.
  if (!step.value) copyFileSync(file, target, constants.COPYFILE_FICLONE);
}

/** As above, without keeping the thread busy. Rejects with the system's error. */
export async function copyLockedInSteps(file: string, target: string): Promise<void> {
  const steps = copySteps(file, target);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await nextTurn();
  if (!step.value) await copyFile(file, target, constants.COPYFILE_FICLONE);
}

/** Returns false, or copies the file by a descriptor that one of our threads has open. */
function* copySteps(file: string, target: string): Generator<void, boolean> {
  const held = heldDescriptor(file);
  return held !== null && (yield* isCopied(held, target));
}

/** False: the descriptor was closed meanwhile, by the thread that had it. */
function* isCopied({ descriptor, inode }: Held, target: string): Generator<void, boolean> {
  const to = openSync(target, 'w', 0o600);
  try {
    const piece = Buffer.alloc(PIECE);
    for (let at = 0; ; ) {
      const length = readSync(descriptor, piece, 0, PIECE, at);
      if (length === 0) return isOf(descriptor, inode);
      writeAll(to, piece.subarray(0, length), at);
      at += length;
      yield;
    }
  } catch (error) {
    if (isOf(descriptor, inode)) throw error;
    return false;
  } finally {
    closeSync(to);
  }
}

function writeAll(to: number, piece: Buffer, at: number): void {
  for (let written = 0; written < piece.length; )
    written += writeSync(to, piece, written, piece.length - written, at + written);
}

/** Null: the descriptor was closed meanwhile, as above. */
function attempt<T>({ descriptor, inode }: Held, read: (descriptor: number) => T): { value: T } | null {
  try {
    const value = read(descriptor);
    return isOf(descriptor, inode) ? { value } : null;
  } catch (error) {
    if (isOf(descriptor, inode)) throw error;
    return null;
  }
}

interface Held {
  descriptor: number;
  inode: Inode;
}

/** A descriptor of the file that one of our threads has open. */
function heldDescriptor(file: string): Held | null {
  const inode = lockable(file);
  if (inode === null) return null;
  const found = ownDescriptors()?.find((name) => isOf(Number(name), inode));
  return found === undefined ? null : { descriptor: Number(found), inode };
}

/**
 * Whether this process has the file open that has this name now. It may have opened one that was removed since. True
 * also where the system does not list descriptors.
 */
export function isOpenHere(file: string): boolean {
  const inode = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (inode === undefined) return false;
  return ownDescriptors()?.some((name) => isOf(Number(name), inode)) ?? true;
}
