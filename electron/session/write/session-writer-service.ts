import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, RoundtripError } from '../../failures/errors.ts';
import type { FromWriter, Resume, ToWriter } from '../format/writer-protocol.ts';
import { type FileFate, fateOfSession } from './session-file-watch.ts';
import { giveUpName, takeNameBeside } from './session-move.ts';
import { SessionWriter } from './session-writer.ts';

/** Between two attempts at what failed; milliseconds. */
const RETRY = 250;
/** Between two looks at the file; milliseconds. */
const LOOK = 1000;

export interface WriterServing {
  path: string;
  port: MessagePort;
  /** Leads to `serveCheckpoints`; SQLite's own way unless given. */
  checkpoints?: MessagePort;
  /** A writer before this one died: the first message says which session it wrote. */
  resumes?: boolean;
}

/**
 * The writer's thread, all of it: opens the session file at `path`, says so on `port`, then does and acknowledges what
 * comes, in order. What fails is tried again until it succeeds, and what came after it waits: a row must not be replaced by
 * an older one. Traffic goes on meanwhile.
 *
 * Where the file was removed, replaced or damaged, the session goes on in a new file beside it, with all that can be kept.
 */
export function serveSessionWriter({ path, port, checkpoints, resumes = false }: WriterServing): void {
  const service = new WriterService(path, port, checkpoints);
  if (resumes) port.once('message', ({ sessionIds }: Resume) => service.resume(sessionIds));
  else service.open();
}

class WriterService {
  readonly #port: MessagePort;
  readonly #checkpoints: MessagePort | undefined;
  readonly #queue: ToWriter[] = [];
  #path: string;
  #writer: SessionWriter | null = null;
  #retry: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  /** See `Resume.sessionIds`; empty: whichever session the file holds. */
  #resumed: readonly string[] = [];
  /** Of the queue, from its head: batches of a session that a later message clears. */
  #cleared = 0;
  /** The file is not ours any more, and no new one could be made yet. */
  #homeless = false;
  #trouble: Failure | null = null;

  constructor(path: string, port: MessagePort, checkpoints: MessagePort | undefined) {
    this.#path = path;
    this.#port = port;
    this.#checkpoints = checkpoints;
  }

  /** The first opening: where it fails there is nothing to write to, and nothing to wait for. */
  open(): void {
    try {
      this.#use(SessionWriter.open(this.#path, { checkpoints: this.#checkpoints }));
    } catch (error) {
      this.#say({ kind: 'open-failed', failure: failureIn(error, this.#path) });
      this.#port.close();
      this.#checkpoints?.close();
      return;
    }
    this.#listen();
  }

  /** Goes on with a session that another writer began; tries until the file can be opened. */
  resume(sessionIds: readonly string[]): void {
    this.#resumed = sessionIds;
    this.#listen();
    this.#work();
  }

  #listen(): void {
    this.#port.on('message', (message: ToWriter) => {
      // On a full disk that may be what makes room.
      if (message.kind === 'clear') this.#cleared = this.#queue.length;
      this.#queue.push(message);
      if (this.#retry === undefined) this.#work();
    });
    // The engine's thread died: what it had sent is to be written, and the file to be free for its successor.
    this.#port.on('close', () => this.#end());
    this.#look = setInterval(() => {
      this.#check();
      if (this.#retry === undefined) this.#work();
    }, LOOK);
    this.#look.unref();
  }

  #use(writer: SessionWriter): void {
    this.#writer = writer;
    this.#path = writer.session.path;
    this.#say({ kind: 'opened', session: writer.session });
  }

  #work(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    try {
      if (this.#writer === null) this.#reopen();
      for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
        const refused = this.#cleared === 0 ? this.#tryOnce(next) : null;
        if (this.#cleared > 0) this.#cleared -= 1;
        this.#queue.shift();
        if (!this.#homeless) this.#setTrouble(null);
        this.#say({ kind: 'done', refused });
      }
      if (!this.#homeless) this.#setTrouble(null);
    } catch (error) {
      this.#setTrouble(failureIn(error, this.#path));
      this.#retry = setTimeout(() => this.#work(), RETRY);
      if (this.#writer !== null) this.#check(isDamage(error));
    }
  }

  /** Returns why SQLite will never take it; throws what another time may not be so. */
  #tryOnce(message: ToWriter): Failure | null {
    try {
      this.#do(message);
      return null;
    } catch (error) {
      if (!isOfItsRows(error)) throw error;
      return failureIn(error, this.#path);
    }
  }

  #do(message: ToWriter): void {
    const writer = this.#writer;
    if (message.kind === 'batch') writer?.apply(message);
    else if (message.kind === 'clear') writer?.clear(message.sessionId);
    else {
      // A last look: a file that lost its name is lost once it is closed.
      this.#check();
      this.#writer?.close();
      this.#finish();
    }
  }

  /** After a writer that died: its file, or a new one where that is gone or holds another session. */
  #reopen(): void {
    const former = this.#path;
    const fate = fateOfSession(former, this.#resumed);
    if (fate !== 'there') this.#path = takeNameBeside(former);
    this.#use(SessionWriter.open(this.#path, { checkpoints: this.#checkpoints, resumes: this.#resumed[0] }));
    if (fate !== 'there') this.#sayMoved(former, fate, false);
  }

  /** Looks what became of the file, and goes on in another one where it is no longer ours. */
  #check(damaged = false): void {
    const writer = this.#writer;
    if (writer === null) return;
    try {
      const fate = damaged ? 'damaged' : fateOf(writer);
      if (fate !== 'there') this.#move(writer, fate);
    } catch (error) {
      this.#homeless = true;
      this.#setTrouble(failureIn(error, this.#path));
      this.#retry ??= setTimeout(() => this.#work(), RETRY);
    }
  }

  /**
   * A file without a name is still whole, so all of it is copied; if that fails (a full disk) it is written to until it
   * succeeds. Of a damaged one is kept what can be copied: all or nothing.
   */
  #move(writer: SessionWriter, fate: Exclude<FileFate, 'there'>): void {
    const former = this.#path;
    const target = takeNameBeside(former);
    const kept = copied(writer, target, fate);
    const { sessionId } = writer;
    writer.abandon();
    this.#resumed = [sessionId];
    this.#writer = null;
    this.#path = target;
    this.#reopen();
    this.#homeless = false;
    this.#sayMoved(former, fate, kept);
  }

  #sayMoved(path: string, fate: Exclude<FileFate, 'there'>, kept: boolean): void {
    const about = { path, target: this.#path, kept };
    this.#say({ kind: 'moved', path: this.#path, failure: failure(`session.file-${fate}`, about) });
  }

  #setTrouble(trouble: Failure | null): void {
    if (this.#trouble?.message === trouble?.message) return;
    this.#trouble = trouble;
    this.#say({ kind: 'trouble', failure: trouble });
  }

  #say(message: FromWriter): void {
    this.#port.postMessage(message);
  }

  /** Each once more, since nobody is there who would wait. */
  #end(): void {
    this.#finish();
    try {
      if (this.#writer === null && this.#resumed.length > 0) this.#reopen();
      for (const message of this.#queue.splice(0)) if (message.kind !== 'close') this.#do(message);
    } catch {
      // The host counts what is missing.
    }
    try {
      this.#writer?.close();
    } catch {
      // The file is as it was after the last batch; the next writer ends what is open.
    }
  }

  #finish(): void {
    clearTimeout(this.#retry);
    clearInterval(this.#look);
    // After the acknowledgement of what is done now.
    setImmediate(() => this.#port.close());
  }
}

function fateOf(writer: SessionWriter): FileFate {
  try {
    return writer.fate();
  } catch (error) {
    if (isDamage(error)) return 'damaged';
    throw error;
  }
}

/** Copies the session to `target`. False: of a damaged file, nothing could be. Throws where a whole one can't be copied now. */
function copied(writer: SessionWriter, target: string, fate: FileFate): boolean {
  try {
    writer.copyTo(target);
    return true;
  } catch (error) {
    giveUpName(target);
    if (fate !== 'damaged') throw error;
    return false;
  }
}

/** SQLite's own words for a file whose content is no longer a database. */
function isDamage(error: unknown): boolean {
  return /malformed|not a database/.test(describe(error));
}

/** SQLite's words for rows that don't fit their table: trying again would hold up all that comes after them for ever. */
function isOfItsRows(error: unknown): boolean {
  return /constraint failed|datatype mismatch|too big|cannot be bound/.test(describe(error));
}

function failureIn(error: unknown, path: string): Failure {
  if (error instanceof RoundtripError) return error.failure;
  return failure('session.write-failed', { path, detail: describe(error) });
}
