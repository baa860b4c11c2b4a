import path from 'node:path';
import type { RunPac } from '../engine/route/routes.ts';
import { roundtripError } from '../failures/errors.ts';
import type { PacCalls } from './pac-calls.ts';
import { Thread } from './thread.ts';

/** Names the thread in the sentence of its death. */
export const PAC_HELPER = 'the one that runs PAC scripts';

/** A script may wait for a DNS server; one that takes longer delays the first request to every host. Milliseconds. */
const TIME_LIMIT = 5_000;

export interface PacRunnerOptions {
  threadFile: string;
  wasmFile: string;
  timeLimit?: number;
  /** The thread died for a reason other than a script that exceeded the time limit. */
  onDeath?: (detail: string) => void;
}

/** Runs PAC scripts on a separate thread. It starts with the first script, and again after a timeout terminated it. */
export class PacRunner {
  readonly #options: PacRunnerOptions;
  #thread: Thread<PacCalls> | null = null;
  /** Was ended because of a script that exceeded the time limit; calls queued after that script failed with it. */
  #overdue: Thread<PacCalls> | null = null;

  constructor(options: PacRunnerOptions) {
    this.#options = options;
  }

  static in(folder: string, onDeath: (detail: string) => void): PacRunner {
    return new PacRunner({
      threadFile: path.join(folder, 'pac-thread.cjs'),
      wasmFile: path.join(folder, 'quickjs.wasm'),
      onDeath,
    });
  }

  /** Rejects with `proxy.pac-failed` or `proxy.pac-timeout`; with `engine.helper-died` if the thread died. */
  readonly run: RunPac = async (script, url, host) => {
    const thread = this.#running();
    // The limit is the script's: on a busy machine, starting its thread takes seconds.
    await thread.ready;
    const limit = this.#options.timeLimit ?? TIME_LIMIT;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = () => roundtripError('proxy.pac-timeout', { seconds: limit / 1000, url });
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#overdue = thread;
        void this.#end(thread);
        reject(tooLong());
      }, limit);
    });
    try {
      return await Promise.race([thread.call('find', { script, url, host }), late]);
    } catch (error) {
      throw this.#overdue === thread ? tooLong() : error;
    } finally {
      clearTimeout(timer);
    }
  };

  async close(): Promise<void> {
    if (this.#thread) await this.#end(this.#thread);
  }

  #running(): Thread<PacCalls> {
    const { threadFile, wasmFile, onDeath } = this.#options;
    this.#thread ??= new Thread<PacCalls>({
      file: threadFile,
      name: 'roundtrip PAC',
      helper: PAC_HELPER,
      data: { wasmFile },
      onDeath: (detail) => {
        this.#thread = null;
        onDeath?.(detail);
      },
    });
    return this.#thread;
  }

  async #end(thread: Thread<PacCalls>): Promise<void> {
    if (this.#thread === thread) this.#thread = null;
    await thread.stop(0);
  }
}
