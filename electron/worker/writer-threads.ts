import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Failure } from '../../shared/model/failure.ts';
import { failure } from '../failures/errors.ts';
import type { CheckpointThreadData } from './checkpoint-thread.ts';
import { Deaths } from './lives/deaths.ts';
import type { WriterThreadData } from './session-writer-thread.ts';
import { Thread } from './thread.ts';

/** A writer that dies more often than this within `DEATHS_WITHIN` is restarted after `PAUSE`. */
const QUICK_RESTARTS = 3;
const DEATHS_WITHIN = 60_000;
const PAUSE = 5000;

export interface WriterThreadsOptions {
  threadFolder: string;
  sessionPath: string;
  /** MB; see `Thread`. */
  youngGeneration: number;
  /** A writer died; its replacement listens on `port`. */
  onSuccessor: (port: MessagePort) => void;
  onFailure: (failure: Failure) => void;
}

type Plain = Thread<Record<never, never>>;

/** The thread that writes the session file and its checkpoint thread. Restarts a writer that dies. */
export class WriterThreads {
  /** The first writer listens on the other end of this port. */
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

  /** The session continues in another file: a replacement writer writes there. */
  moved(sessionPath: string): void {
    this.#path = sessionPath;
  }

  /** Waits at most `withinMs` milliseconds for the writer to write what was sent and close the file. */
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
        // The checkpoint thread exits with its writer. If it dies earlier, the writer takes checkpoints itself.
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
      // The writer exits by itself with the engine, or if it could not open the file at the start.
      onDeath: (detail, byItself) => byItself || this.#hasDied(detail),
    });
  }

  #hasDied(detail: string): void {
    this.#options.onFailure(failure('session.writer-died', { detail }));
    this.#pause = setTimeout(() => void this.#replace(), this.#deaths.another() ? PAUSE : 0);
  }

  async #replace(): Promise<void> {
    // The old checkpoint thread held the other end of the dead writer's port.
    await this.#checkpoints.stop(PAUSE);
    if (this.#stopping) return;
    const { port1, port2 } = new MessageChannel();
    const { port1: forward, port2: back } = new MessageChannel();
    this.#checkpoints = this.#startCheckpoints(back);
    this.#writer = this.#startWriter(port1, forward, true);
    this.#options.onSuccessor(port2);
  }
}
