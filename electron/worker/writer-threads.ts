import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Failure } from '../../shared/model/failure.ts';
import { failure } from '../failures/errors.ts';
import type { CheckpointThreadData } from './checkpoint-thread.ts';
import { Deaths } from './lives/deaths.ts';
import type { WriterThreadData } from './session-writer-thread.ts';
import { Thread } from './thread.ts';

/** A writer that died more often than this in a while is started again only after a pause. */
const QUICK_RESTARTS = 3;
const DEATHS_WITHIN = 60_000;
const PAUSE = 5000;

export interface WriterThreadsOptions {
  threadFolder: string;
  sessionPath: string;
  /** MB; see `Thread`. */
  youngGeneration: number;
  /** Another writer listens at `port`, in place of one that died. */
  onSuccessor: (port: MessagePort) => void;
  onFailure: (failure: Failure) => void;
}

type Plain = Thread<Record<never, never>>;

/** The thread that writes the session file, with the one that takes checkpoints for it. A writer that dies is started again. */
export class WriterThreads {
  /** The first writer listens at its other end. */
  readonly port: MessagePort;
  readonly #options: WriterThreadsOptions;
  readonly #deaths = new Deaths(QUICK_RESTARTS, DEATHS_WITHIN);
  #path: string;
  #writer: Plain;
  #checkpoints: Plain;
  #pause: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: WriterThreadsOptions) {
    this.#options = options;
    this.#path = options.sessionPath;
    const { port1, port2 } = new MessageChannel();
    this.port = port2;
    const { port1: forward, port2: back } = new MessageChannel();
    this.#checkpoints = this.#startCheckpoints(back);
    this.#writer = this.#startWriter(port1, forward, false);
  }

  /** The session goes on in another file: that is where a successor writes. */
  moved(sessionPath: string): void {
    this.#path = sessionPath;
  }

  /** Waits `withinMs` at most for what had been sent to be written; the file is free then. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#pause);
    await this.#writer.stop(withinMs);
    await this.#checkpoints.stop(withinMs);
  }

  #startCheckpoints(port: MessagePort): Plain {
    const data: CheckpointThreadData = { path: this.#path, port };
    return new Thread({
      file: path.join(this.#options.threadFolder, 'checkpoint-thread.cjs'),
      name: 'roundtrip checkpoints',
      ...{ data, transfer: [port], youngGeneration: this.#options.youngGeneration },
      onDeath: (detail, byItself) => {
        // It ends with its writer, which otherwise goes on by itself.
        const what = 'the one that takes checkpoints of the session file; its writer does that meanwhile';
        if (!byItself) this.#options.onFailure(failure('engine.helper-died', { what, detail }));
      },
    });
  }

  #startWriter(port: MessagePort, checkpoints: MessagePort, resumes: boolean): Plain {
    const data: WriterThreadData = { path: this.#path, port, checkpoints, resumes };
    return new Thread({
      file: path.join(this.#options.threadFolder, 'session-writer-thread.cjs'),
      name: 'roundtrip session writer',
      ...{ data, transfer: [port, checkpoints], youngGeneration: this.#options.youngGeneration },
      // By itself it ends with the engine, or where the file could not be opened at first.
      onDeath: (detail, byItself) => byItself || this.#hasDied(detail),
    });
  }

  #hasDied(detail: string): void {
    this.#options.onFailure(failure('session.writer-died', { detail }));
    this.#pause = setTimeout(() => void this.#replace(), this.#deaths.another() ? PAUSE : 0);
  }

  async #replace(): Promise<void> {
    // It had the other end of the writer's port.
    await this.#checkpoints.stop(PAUSE);
    if (this.#stopping) return;
    const { port1, port2 } = new MessageChannel();
    const { port1: forward, port2: back } = new MessageChannel();
    this.#checkpoints = this.#startCheckpoints(back);
    this.#writer = this.#startWriter(port1, forward, true);
    this.#options.onSuccessor(port2);
  }
}
