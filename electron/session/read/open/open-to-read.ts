import { accessSync, constants, copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe } from '../../../failures/errors.ts';
import { isBeingRecorded } from '../../format/lock-file.ts';
import { copyLocked } from '../../format/locked-file.ts';
import { readSessionHeader } from '../../format/session-header.ts';
import { checkSchema, migrate, VERSION } from '../../format/session-schema.ts';
import { DatabaseSync } from '../../format/sqlite.ts';
import { withoutLinks } from '../../format/without-links.ts';
import { lossOf } from './log-loss.ts';
import { salvaged } from './salvage.ts';

/** Bytes of a file whose rows are all checked: for a large one, that would take seconds. */
const SMALL = 256 * 1024 * 1024;

/** Bytes of the smallest page that SQLite has. */
const SMALLEST = 512;

/** A session file's database, open to read. */
export interface OpenedDatabase {
  database: DatabaseSync;
  /** One sentence for the user if the file could not be read completely; null: it could. */
  notice: string | null;
  /** Whether it shows later writes: the file was being recorded when it was opened. */
  follows: boolean;
  /** Closes it, and removes a copy. */
  close(): void;
}

/** The file would have to be copied to be read, and is larger than the caller allows. */
export class TooLargeToCopy extends Error {
  readonly isDamaged: boolean;

  constructor(isDamaged: boolean) {
    super('it is too large to copy just for reading');
    this.isDamaged = isDamaged;
  }
}

/**
 * Opens a session file without ever changing it, and without leaving a file next to it:
 * - one that is being recorded: shared with its writer;
 * - one that was closed: as it is, which needs no lock and works on a read-only disk;
 * - one of an older version, left behind by a crash, or damaged: a copy in the temporary folder, upgraded, recovered or
 *   salvaged there.
 *
 * `copyLimit`: the most bytes to copy. Throws the system's or SQLite's error, `TooLargeToCopy`, or an Error with the
 * reason as part of a sentence.
 */
export function openToRead(given: string, copyLimit = Number.POSITIVE_INFINITY): OpenedDatabase {
  const file = withoutLinks(given);
  accessSync(file, constants.R_OK);
  const found = statSync(file);
  // Opening a pipe would wait for its other end.
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
  if (isBeingRecorded(file)) return shared(file);
  const { version, expected, size } = readSessionHeader(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const hasLog = log > 0;
  const mayCopy = (isDamaged: boolean) => {
    if (size + log > copyLimit) throw new TooLargeToCopy(isDamaged);
  };
  if (size === 0 && !hasLog) throw new Error('it is empty');
  if (!hasLog && size < expected) {
    mayCopy(true);
    return copied(file, (copy) => {
      // SQLite does not read a file that is shorter than its header states.
      truncateSync(copy, expected);
      return salvaged(copy);
    });
  }
  if (hasLog || version < VERSION) {
    mayCopy(false);
    return copied(file, (copy) => {
      // SQLite removes the log of an empty file.
      if (size === 0) truncateSync(copy, SMALLEST);
      return recovered(copy, `${file}-wal`);
    });
  }
  const opened = unchanging(file);
  if (isIntact(opened, size < SMALL)) {
    return { database: opened, notice: null, follows: false, close: () => opened.close() };
  }
  opened.close();
  mayCopy(true);
  return salvagedCopy(file);
}

/** The readable part of a damaged session file, in a copy. Throws an Error with the reason as part of a sentence. */
export function salvagedCopy(file: string): OpenedDatabase {
  return copied(withoutLinks(file), salvaged);
}

/** Not `readOnly`: the last connection to close checkpoints the write-ahead log, and that may be this one. */
function shared(file: string): OpenedDatabase {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 2000; PRAGMA query_only = ON');
    checkSchema(database);
    return { database, notice: null, follows: true, close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

function unchanging(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** Reads what every session needs; `rows`: also all rows. Damage in other pages appears when they are read. */
function isIntact(database: DatabaseSync, rows: boolean): boolean {
  try {
    checkSchema(database);
    database.prepare('SELECT id FROM session').get();
    database.prepare(`SELECT ${rows ? 'count(*), ' : ''}max(id) FROM exchange`).get();
    database.prepare('SELECT max(exchange) FROM detail').get();
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Whether an error indicates damaged pages in a file. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|disk I\/O/.test(describe(error));
}

interface Copy {
  database: DatabaseSync;
  notice: string | null;
}

/** `open`: opens the copy at this path, in its own folder. */
function copied(file: string, open: (copy: string) => Copy): OpenedDatabase {
  const folder = mkdtempSync(path.join(tmpdir(), 'roundtrip-'));
  const copy = path.join(folder, 'copy.roundtrip');
  try {
    copyLocked(file, copy);
    const log = `${file}-wal`;
    if (statSync(log, { throwIfNoEntry: false })) copyFileSync(log, `${copy}-wal`, constants.COPYFILE_FICLONE);
    const { database, notice } = open(copy);
    const close = () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    };
    return { database, notice, follows: false, close };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** SQLite recovers the content of the write-ahead log at `log`. An older file becomes one of this version. */
function recovered(copy: string, log: string): Copy {
  const database = new DatabaseSync(copy);
  try {
    checkSchema(database);
    const notice = lossOf(log, copy)?.message ?? null;
    migrate(database, '');
    if (isIntact(database, true)) return { database, notice };
  } catch (error) {
    database.close();
    if (!isDamage(error)) throw error;
    return salvaged(copy);
  }
  database.close();
  return salvaged(copy);
}
