import type { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { EXCHANGE_COLUMNS } from '../format/exchange-cells.ts';
import { SLAB_BYTES } from '../format/slab-size.ts';
import type { WriteBatch } from '../format/writer-protocol.ts';
import { checkpoint, type PagesLeft, type ToCheckpoints } from './checkpoint-service.ts';

const MIB = 1024 * 1024;
/** Bytes of log from which on it is taken into the file, as soon as less than `CALM` comes in a `LOOK` (milliseconds). */
const DUE = 32 * MIB;
const CALM = MIB;
const LOOK = 250;
/** Bytes of log up to which traffic goes first: the disk's time and the other thread's are taken from it. */
const PATIENT = 256 * MIB;
/** A large body, in a `LOOK`: waiting for the disk would slow down who writes it. Such a one may be in the log whole. Bytes. */
const BURST = 24 * MIB;
const LONG = 1024 * MIB;
/** Bytes of log beyond which the writer waits: a disk that is slower than what comes for so long is to say so. */
const LIMIT = 1536 * MIB;
/** Pages that the writer takes in itself: few enough to hold nobody up. Only then may the log begin anew. */
const FEW = 512;
/** Milliseconds that the writer waits for who else has the file. */
export const BUSY_TIMEOUT = 2000;
/** Of a row and what goes with it; it need not be exact. Bytes. */
const ROW = 1024;

/**
 * Says when the write-ahead log is taken into the session file, and by whom: by a thread of its own, as long as there is
 * one. So the log takes up what comes faster than the disk is, a large body say.
 */
export class Checkpoints {
  readonly #database: DatabaseSync;
  readonly #port: MessagePort;
  /** Bytes, about, since the log began anew. */
  #written = 0;
  /** Of them, since the last look. */
  #recent = 0;
  #asked = false;
  #timer: NodeJS.Timeout | undefined;

  /** `port`: of `serveCheckpoints`; `path`: of the database. */
  constructor(database: DatabaseSync, port: MessagePort, path: string) {
    this.#database = database;
    this.#port = port;
    database.exec('PRAGMA wal_autocheckpoint = 0');
    port.on('message', (left: PagesLeft) => this.#answered(left));
    // The thread died: SQLite's own way will do.
    port.on('close', () => this.#giveUp());
    this.#tell(path);
  }

  /** For each batch that was written. */
  wrote({ exchanges, pieces, slabs }: WriteBatch): void {
    const bodies = pieces.length === 0 ? 0 : slabs.length * SLAB_BYTES;
    const bytes = bodies + (exchanges.length / EXCHANGE_COLUMNS.length) * ROW;
    this.#written += bytes;
    this.#recent += bytes;
    if (this.#written > LIMIT) this.#wait();
    else if (this.#written > DUE && !this.#asked) this.#timer ??= setTimeout(() => this.#look(), LOOK).unref();
  }

  /** Lets the thread go. */
  close(): void {
    this.letGo();
    this.#port.close();
  }

  /** Another file's writer goes on with the thread. */
  letGo(): void {
    clearTimeout(this.#timer);
    this.#port.removeAllListeners('message').removeAllListeners('close');
  }

  #tell(message: ToCheckpoints): void {
    this.#port.postMessage(message);
  }

  #look(): void {
    const comes = this.#recent;
    this.#recent = 0;
    this.#timer = undefined;
    const most = comes > BURST ? LONG : comes > CALM ? PATIENT : 0;
    if (this.#written < most) this.#timer = setTimeout(() => this.#look(), LOOK).unref();
    else this.#ask();
  }

  #ask(): void {
    this.#asked = true;
    this.#tell(null);
  }

  #answered(left: PagesLeft): void {
    this.#asked = false;
    try {
      if (left > FEW || checkpoint(this.#database) > 0) return;
      if (this.#written > 2 * DUE) this.#giveBack();
      this.#written = 0;
    } catch {
      // A full or broken disk: the next batch meets it too, and its failure is reported.
    }
  }

  /** The disk's space of a long log: now, while little comes, unless a reader is in the log. */
  #giveBack(): void {
    this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }

  /** For the other thread to be done, and then for the disk; SQLite's busy timeout bounds the first. */
  #wait(): void {
    const { busy } = this.#database.prepare('PRAGMA wal_checkpoint(FULL)').get() ?? {};
    if (busy === 0) this.#written = 0;
  }

  #giveUp(): void {
    this.#asked = true;
    this.#written = Number.NEGATIVE_INFINITY;
    this.#database.exec('PRAGMA wal_autocheckpoint = 2048');
  }
}
