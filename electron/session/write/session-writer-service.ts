import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, RoundtripError } from '../../failures/errors.ts';
import { WriteRefused } from '../../failures/write-refused.ts';
import { fileProblem } from '../../files/file-problem.ts';
import type { FromWriter, Resume, ToWriter } from '../format/writer-protocol.ts';
import { copySession, type Kept } from './session-copy.ts';
import { type FileFate, fateOfSession } from './session-file-watch.ts';
import { takeNameBeside } from './session-move.ts';
import { SessionWriter } from './session-writer.ts';

/** Milliseconds between attempts. */
const RETRY = 250;
/** Milliseconds between checks of the file. */
const LOOK = 1000;

export interface WriterServing {
  path: string;
  port: MessagePort;
  /** Connected to `serveCheckpoints`; default: SQLite's automatic checkpoints. */
  checkpoints?: MessagePort;
  /** The previous writer died: the first message names the session that it wrote. */
  resumes?: boolean;
}

/**
 * The entire writer thread: opens the session file at `path`, reports this on `port`, then processes and acknowledges
 * messages in order. A failed message is retried until it succeeds, and later ones wait, because a row must not be
 * replaced by an older one. Traffic continues meanwhile.
 *
 * If the file was removed, replaced or damaged, the session continues in a new file next to it, with everything that
 * can be saved.
 */
export function serveSessionWriter({ path, port, checkpoints, resumes = false }: WriterServing): void {
  const service = new WriterService(path, port, checkpoints);
  if (resumes) port.once('message', (message: Resume) => service.resume(message));
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
  /** See `Resume.sessionIds`; empty: any session in the file. */
  #resumed: readonly string[] = [];
  /** See `Resume.firstExchange`. */
  #firstExchange = 1;
  /** Messages at the head of the queue whose session a later message clears. */
  #cleared = 0;
  /** The file is no longer ours, and a new one could not be created yet. */
  #homeless = false;
  #trouble: Failure | null = null;

  constructor(path: string, port: MessagePort, checkpoints: MessagePort | undefined) {
    this.#path = path;
    this.#port = port;
    this.#checkpoints = checkpoints;
  }

  /** Opens the file for the first time. If this fails, there is nothing to write to and nothing to retry. */
  open(): void {
    try {
      this.#use(SessionWriter.open(this.#path, { checkpoints: this.#checkpoints }));
      this.#firstExchange = this.#writer?.session.nextExchangeId ?? 1;
    } catch (error) {
      this.#say({ kind: 'open-failed', failure: failureIn(error, this.#path) });
      this.#port.close();
      this.#checkpoints?.close();
      return;
    }
    this.#listen();
  }

  /** Continues a session that another writer began; retries until the file can be opened. */
  resume({ sessionIds, firstExchange }: Resume): void {
    this.#resumed = sessionIds;
    this.#firstExchange = firstExchange;
    this.#listen();
    this.#work();
  }

  #listen(): void {
    this.#port.on('message', (message: ToWriter) => {
      // On a full disk, clearing may free the space needed.
      if (message.kind === 'clear') this.#cleared = this.#queue.length;
      this.#queue.push(message);
      if (this.#retry === undefined) this.#work();
    });
    // The engine thread died: write what it had sent, and release the file for its successor.
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

  /** Returns the failure if SQLite will never accept the message; throws errors that a retry may resolve. */
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
      // Check once more: an unlinked file is lost once it is closed, and a damaged log ruins the file then.
      this.#check(writer?.isLogIntact() === false);
      this.#closeFile();
      this.#finish();
    }
  }

  /** Opens a dead writer's file, or a new one if that is gone or holds another session. */
  #reopen(): void {
    const former = this.#path;
    const fate = fateOfSession(former, this.#resumed);
    if (fate !== 'there') this.#path = takeNameBeside(former);
    this.#use(SessionWriter.open(this.#path, { checkpoints: this.#checkpoints, resumes: this.#resumed[0] }));
    if (fate !== 'there') this.#sayMoved(former, fate, null);
  }

  /** Checks the file, and continues in another one if it is no longer ours. */
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
   * An unlinked file is still intact and is copied entirely; until that succeeds (a full disk), writes go to the old
   * file. Of a damaged file, the copy holds what could be read.
   */
  #move(writer: SessionWriter, fate: Exclude<FileFate, 'there'>): void {
    const former = this.#path;
    const target = takeNameBeside(former);
    const kept = copySession(writer, former, target, fate);
    const { sessionId } = writer;
    writer.abandon(fate);
    this.#resumed = [sessionId];
    this.#writer = null;
    this.#path = target;
    this.#reopen();
    this.#homeless = false;
    this.#sayMoved(former, fate, kept);
  }

  #sayMoved(path: string, fate: Exclude<FileFate, 'there'>, kept: Kept): void {
    const about = failure(`session.file-${fate}`, { path, target: this.#path, kept });
    const ended = this.#writer?.endedFrom(this.#firstExchange) ?? 0;
    this.#say({ kind: 'moved', path: this.#path, failure: about, ended, whole: kept === 'all' });
  }

  #setTrouble(trouble: Failure | null): void {
    if (this.#trouble?.message === trouble?.message) return;
    this.#trouble = trouble;
    this.#say({ kind: 'trouble', failure: trouble });
  }

  #say(message: FromWriter): void {
    this.#port.postMessage(message);
  }

  /** Tries each message once more; nothing waits for further retries. */
  #end(): void {
    this.#finish();
    try {
      if (this.#writer === null && this.#resumed.length > 0) this.#reopen();
      for (const message of this.#queue.splice(0)) if (message.kind !== 'close') this.#do(message);
    } catch {
      // The host counts the missing exchanges.
    }
    this.#closeFile();
  }

  #closeFile(): void {
    try {
      this.#writer?.close();
    } catch {
      // The file stays as it was after the last batch; the next writer ends the open exchanges.
    }
  }

  #finish(): void {
    clearTimeout(this.#retry);
    clearInterval(this.#look);
    // After the acknowledgement of the current message.
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

/** Matches SQLite's messages for a file that is no longer a valid database. */
function isDamage(error: unknown): boolean {
  return /malformed|not a database/.test(wordsOf(error));
}

/** Matches SQLite's errors for rows that don't fit their table: retrying would block all later messages forever. */
function isOfItsRows(error: unknown): boolean {
  return /constraint failed|datatype mismatch|too big|cannot be bound/.test(wordsOf(error));
}

/** SQLite's words: those of the writer's error are for users. */
function wordsOf(error: unknown): string {
  return describe(error instanceof WriteRefused ? error.cause : error);
}

function failureIn(error: unknown, path: string): Failure {
  if (error instanceof RoundtripError) return error.failure;
  return failure('session.write-failed', { path, detail: fileProblem(error, path) });
}
