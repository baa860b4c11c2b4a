import type { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { EXCHANGE_COLUMNS } from '../format/exchange-cells.ts';
import { SLAB_BYTES } from '../format/slab-size.ts';
import type { WriteBatch } from '../format/writer-protocol.ts';
import { checkpoint, type PagesLeft, type ToCheckpoints } from './checkpoint-service.ts';

const MIB = 1024 * 1024;
/** Bytes of log that make a checkpoint due. It runs once less than `CALM` bytes arrive per `LOOK` (milliseconds). */
const DUE = 32 * MIB;
const CALM = MIB;
const LOOK = 250;
/** Bytes of log up to which traffic has priority: a checkpoint takes disk and CPU time from it. */
const PATIENT = 256 * MIB;
/** Bytes per `LOOK` that indicate a large body. Waiting for the disk would slow it down; the log may grow to `LONG`. */
const BURST = 24 * MIB;
const LONG = 1024 * MIB;
/** Bytes of log beyond which the writer waits: a disk that is too slow for this long must show as backpressure. */
const LIMIT = 1536 * MIB;
/** Pages that the writer checkpoints itself, few enough to cause no delay. Only then can the log restart. */
const FEW = 512;
/** Milliseconds that the writer waits for another connection's lock. */
export const BUSY_TIMEOUT = 2000;
/** Bytes of a row with its detail, estimated. */
const ROW = 1024;

/**
 * Decides when the write-ahead log is checkpointed, and by which thread: a separate one, as long as it lives. The log
 * then absorbs data that arrives faster than the disk can take it, such as a large body.
 */
export class Checkpoints {
  readonly #database: DatabaseSync;
  readonly #port: MessagePort;
  /** Estimated bytes since the log restarted. */
  #written = 0;
  /** Estimated bytes since the last check. */
  #recent = 0;
  #asked = false;
  #timer: NodeJS.Timeout | undefined;

  /** `port`: connected to `serveCheckpoints`; `path`: the database's. */
  constructor(database: DatabaseSync, port: MessagePort, path: string) {
    this.#database = database;
    this.#port = port;
    database.exec('PRAGMA wal_autocheckpoint = 0');
    port.on('message', (left: PagesLeft) => this.#answered(left));
    // The thread died: fall back to SQLite's automatic checkpoints.
    port.on('close', () => this.#giveUp());
    this.#tell(path);
  }

  /** Call this for each written batch. */
  wrote({ exchanges, pieces, slabs }: WriteBatch): void {
    const bodies = pieces.length === 0 ? 0 : slabs.length * SLAB_BYTES;
    const bytes = bodies + (exchanges.length / EXCHANGE_COLUMNS.length) * ROW;
    this.#written += bytes;
    this.#recent += bytes;
    if (this.#written > LIMIT) this.#wait();
    else if (this.#written > DUE && !this.#asked) this.#timer ??= setTimeout(() => this.#look(), LOOK).unref();
  }

  /** Ends the checkpoint thread. */
  close(): void {
    this.letGo();
    this.#port.close();
  }

  /** Detaches from the thread, which the writer of another file takes over. */
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
      // A full or broken disk: the next batch fails too and reports it.
    }
  }

  /** Frees the disk space of a long log while traffic is light, unless a reader uses the log. */
  #giveBack(): void {
    this.#database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }

  /** Waits for the other thread, at most SQLite's busy timeout, and then for the disk. */
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
