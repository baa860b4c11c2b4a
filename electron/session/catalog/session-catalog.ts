import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { Failure } from '../../../shared/model/failure.ts';
import type { PruneLimits } from '../../../shared/model/session/prune-limits.ts';
import type { RemovedSession, SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { failureOf, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/publish-file.ts';
import { isBeingRecorded } from '../format/lock-file.ts';
import { forgetUse, keepUses, SessionUse, whileUnused } from '../format/session-use.ts';
import { duplicateSession } from './duplicate-session.ts';
import { lookAtSession, type SessionFacts, statOf } from './look-at-session.ts';

/** Names and notes by file name. They are not in the session files, which opening never changes. */
const NotesSchema = v.record(v.string(), v.object({ name: v.string(), note: v.string() }));
type Notes = v.InferOutput<typeof NotesSchema>;

const DAY = 24 * 60 * 60 * 1000;

/** The side files that SQLite and Roundtrip put next to a session file. */
const SIDE_FILES = ['-wal', '-shm', '-lock', '-lock-journal'];
/** The automatic name of a recording (`uniqueName`). */
const GIVEN_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}\.roundtrip$/;
/**
 * Milliseconds that an unused recording stays after its last change, in case it is another process's: that one may have
 * written its session, and be about to read it for the HAR.
 */
const SETTLING = 10 * 60 * 1000;
/** Bytes. A session without exchanges is smaller, its write-ahead log included. */
const UNUSED_SIZE = 1024 * 1024;

/** Sessions that exceed limits, by path. */
export interface Prunable {
  paths: string[];
  inUse: string[];
}

export interface Pruned {
  removed: RemovedSession[];
  kept: Failure[];
}

/** The session files in the data folder, with names and notes. */
export class SessionCatalog {
  readonly #folder: string;
  /** By path: the facts of the file, with its size and date at that time. */
  readonly #seen = new Map<string, { stamp: string; facts: SessionFacts }>();

  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, 'sessions');
  }

  /** A free path in the folder for a session with this name. */
  newPath(name: string): string {
    makeFolder(this.#folder);
    const plain = name.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 100) || 'session';
    for (let number = 1; ; number += 1) {
      const file = path.join(this.#folder, `${plain}${number === 1 ? '' : `-${number}`}.roundtrip`);
      // A copy would be read with a log that is left there.
      if (!existsSync(file) && !existsSync(`${file}-wal`)) return file;
    }
  }

  /** Paths of the sessions that are not being recorded, the newest first; cheap, because it opens no file. */
  finished(): { file: string; at: number }[] {
    return this.#files()
      .filter((file) => !isBeingRecorded(file))
      .map((file) => ({ file, at: changedAt(file) }))
      .sort((a, b) => b.at - a.at);
  }

  /** The newest first. Yields the thread between files; an unchanged one is not read again. */
  async list(): Promise<SessionEntry[]> {
    const notes = this.#notes();
    const entries: SessionEntry[] = [];
    for (const file of this.#files().sort((a, b) => changedAt(b) - changedAt(a))) {
      const { name, note } = notes[path.basename(file)] ?? { name: '', note: '' };
      const facts = await this.#look(file);
      entries.push({ ...facts, name: name || facts.name, note });
    }
    return entries;
  }

  async #look(file: string): Promise<SessionFacts> {
    const stamp = `${changedAt(file)} ${bytesOf(file)}`;
    const seen = this.#seen.get(file);
    // A recording's rows are in a log whose size may stay the same.
    if (seen?.stamp === stamp && seen.facts.ended !== 'recording' && !isBeingRecorded(file)) return seen.facts;
    await nextTurn();
    const facts = lookAtSession(file);
    this.#seen.set(file, { stamp, facts });
    return facts;
  }

  /** Names and annotates a session; an empty name stands for the file's own. Throws `session.file-failed`. */
  describe(file: string, name: string, note: string): void {
    this.#attempt(file, (own) => {
      const notes = this.#notes();
      notes[path.basename(own)] = { name, note };
      this.#write(notes);
    });
  }

  /** The names that users gave to sessions of the folder, by path. */
  names(): Map<string, string> {
    const given = Object.entries(this.#notes()).filter(([, { name }]) => name !== '');
    return new Map(given.map(([file, { name }]) => [path.join(this.#folder, file), name]));
  }

  /** Refuses a file outside the folder. Throws `session.file-failed`. */
  find(file: string): string {
    return this.#attempt(file, (own) => own);
  }

  /**
   * Copies a session, with its name and note. The copy of one that is being recorded has what is in its file now.
   * Resolves with the copy's path. Rejects with `session.file-failed`.
   */
  async duplicate(file: string): Promise<string> {
    const own = this.find(file);
    const use = new SessionUse(own);
    try {
      const copy = this.newPath(`${path.basename(own, '.roundtrip')} copy`);
      await duplicateSession(own, copy);
      const notes = this.#notes();
      const given = notes[path.basename(own)];
      if (given !== undefined) {
        const name = given.name === '' ? '' : `${given.name} copy`;
        this.#write({ ...notes, [path.basename(copy)]: { name, note: given.note } });
      }
      return copy;
    } catch (error) {
      throw fileFailure(file, error);
    } finally {
      use.release();
    }
  }

  /** Deletes a session that is neither being recorded nor read. Throws `session.file-failed`. */
  remove(file: string): void {
    this.#attempt(file, (own) => {
      refuseRecorded(own);
      if (lstatSync(own).isDirectory()) throw new Error('it is a folder');
      if (!whileUnused(own, () => removeFiles(own)))
        throw new Error('another window or command has it open: close the session there, or wait until that has ended');
      const { [path.basename(own)]: _, ...rest } = this.#notes();
      this.#write(rest);
    });
  }

  /**
   * Paths of the sessions that exceed these limits, the oldest first. Those in `kept` and one that is being recorded
   * are never included, but count toward the size. Links, folders and pipes stay and do not count. `inUse`: other
   * processes or threads have those open, and a removal would fail.
   */
  prunable({ olderThanDays, overBytes }: PruneLimits, kept: ReadonlySet<string>, now = Date.now()): Prunable {
    keepUses(this.#folder);
    const oldest = this.#files()
      .filter(isRegular)
      .map((file) => ({ file, at: changedAt(file), bytes: bytesOf(file) }))
      .sort((a, b) => a.at - b.at);
    let total = oldest.reduce((sum, { bytes }) => sum + bytes, 0);
    const found: Prunable = { paths: [], inUse: [] };
    for (const { file, at, bytes } of oldest) {
      if (kept.has(file) || isBeingRecorded(file)) continue;
      const isOld = olderThanDays !== null && now - at > olderThanDays * DAY;
      if (!isOld && (overBytes === null || total <= overBytes)) continue;
      const isUnused = whileUnused(file, () => undefined);
      (isUnused ? found.paths : found.inUse).push(file);
      if (isUnused) total -= bytes;
    }
    return found;
  }

  /** Removes what `prunable` returns. One that can't be removed, or is in use, stays: its failure is in `kept`. */
  prune(limits: PruneLimits, kept: ReadonlySet<string> = new Set(), now = Date.now()): Pruned {
    const notes = this.#notes();
    const pruned: Pruned = { removed: [], kept: [] };
    const { paths, inUse } = this.prunable(limits, kept, now);
    for (const file of [...paths, ...inUse]) {
      const bytes = bytesOf(file);
      const base = path.basename(file);
      try {
        this.remove(file);
        pruned.removed.push({ path: file, name: notes[base]?.name || base.replace(/\.roundtrip$/, ''), bytes });
      } catch (error) {
        pruned.kept.push(failureOf(error));
      }
    }
    return pruned;
  }

  /**
   * Removes recordings without an exchange, a name or a note: each start without traffic leaves one behind. `kept`:
   * paths that stay; `own`: those of this process, which are removed however new they are. Those that can't be removed
   * stay too.
   */
  removeUnused(kept: ReadonlySet<string>, own: ReadonlySet<string>, now = Date.now()): void {
    const notes = this.#notes();
    keepUses(this.#folder);
    for (const file of this.#files()) {
      const name = path.basename(file);
      if (!GIVEN_NAME.test(name) || name in notes || kept.has(file) || bytesOf(file) > UNUSED_SIZE) continue;
      if (!own.has(file) && now - changedAt(file) < SETTLING) continue;
      const { ended, exchanges, bytes, problem } = lookAtSession(file);
      if (ended === 'recording' || (bytes !== 0 && (exchanges !== 0 || problem !== null))) continue;
      try {
        this.remove(file);
      } catch {
        // On Windows another program may have it open. The next start tries again.
      }
    }
  }

  #files(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.roundtrip') && !name.startsWith('.'))
      .map((name) => path.join(this.#folder, name));
  }

  /** Only files of the folder can be changed. */
  #attempt<T>(file: string, work: (own: string) => T): T {
    try {
      const own = this.#files().find((one) => one === path.resolve(file));
      if (own === undefined) throw new Error('it is not one of the sessions in the data folder');
      return work(own);
    } catch (error) {
      throw fileFailure(file, error);
    }
  }

  /** An unreadable file counts as empty: names are a convenience. */
  #notes(): Notes {
    try {
      return v.parse(NotesSchema, JSON.parse(readFileSync(this.#notesFile, 'utf8')));
    } catch {
      return {};
    }
  }

  #write(notes: Notes): void {
    replaceFile(this.#notesFile, `${JSON.stringify(notes, null, 2)}\n`, 0o600);
  }

  get #notesFile(): string {
    return path.join(this.#folder, 'names.json');
  }
}

/** Renamed first: a half-deleted session would be a damaged one. */
function removeFiles(own: string): void {
  const doomed = `${own}.deleted`;
  renameSync(own, doomed);
  for (const gone of [doomed, ...SIDE_FILES.map((suffix) => own + suffix)]) rmSync(gone, { force: true });
  forgetUse(own);
}

function fileFailure(file: string, error: unknown): Error {
  return roundtripError('session.file-failed', { path: file, detail: fileProblem(error, file) }, systemCode(error));
}

function refuseRecorded(file: string): void {
  if (isBeingRecorded(file)) throw new Error('it is being recorded');
}

/** Of the file and its write-ahead log, as the list shows it. */
function bytesOf(file: string): number {
  const size = (of: string) => statOf(of)?.size ?? 0;
  return size(file) + size(`${file}-wal`);
}

/** False also for a name that Node can't read because it is not UTF-8. */
function isRegular(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function changedAt(file: string): number {
  return statOf(file)?.mtimeMs ?? 0;
}
