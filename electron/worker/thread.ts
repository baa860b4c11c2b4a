import { setFlagsFromString } from 'node:v8';
import { type Transferable, Worker } from 'node:worker_threads';
import { describe, RoundtripError, roundtripError, systemCode } from '../failures/errors.ts';
import type { CallMap, FromThread, ToThread } from './thread-call.ts';

/**
 * V8 first collects a thread's old generation when it reaches 256 MB or more: a thread that keeps 10 MB would hold far
 * more after hours. It collects at this size, and then by what remained. Megabytes.
 */
setFlagsFromString('--initial-old-space-size=24');

/** A thread that has not ended this long after `terminate` is stuck in a system call. Milliseconds. */
const HANGS = 2000;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface ThreadOptions<Notice> {
  /** Path of the bundle that the thread runs. */
  file: string;
  /** For debuggers and process viewers. */
  name: string;
  /** Names the helper that died: "the one that runs PAC scripts". Default: the thread is the engine. */
  helper?: string;
  data?: unknown;
  transfer?: Transferable[];
  /** Size of the young generation, in MB, including its buffers; default: V8's 48. */
  youngGeneration?: number;
  /**
   * Limit of the old generation, in MB; default: V8's 4 GB. Below 2 GB, V8 collects when the heap has doubled since the
   * last collection, not when it has four times its size.
   */
  oldGeneration?: number;
  onNotice?: (notice: Notice) => void;
  /** The thread ended without being stopped. `byItself`: it exited with code 0 because it had no work left. */
  onDeath?: (reason: string, byItself: boolean) => void;
}

/** Node reports "Worker initialization failure: EMFILE". */
function systemReason(message: string): string {
  const code = message.split(': ').at(-1) ?? message;
  return code === 'EMFILE' ? 'the system allows Roundtrip too few open files (ulimit -n)' : code;
}

/** A worker thread that answers calls. */
export class Thread<M extends CallMap, Notice = never> {
  readonly #worker: Worker;
  readonly #helper: string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gone: Promise<void>;
  #calls = 0;
  #stopping = false;
  #dead = false;

  constructor(options: ThreadOptions<Notice>) {
    const { file, name, data, transfer, youngGeneration, oldGeneration, onNotice, onDeath } = options;
    this.#helper = options.helper;
    const resourceLimits = {
      ...(youngGeneration === undefined ? {} : { maxYoungGenerationSizeMb: youngGeneration }),
      ...(oldGeneration === undefined ? {} : { maxOldGenerationSizeMb: oldGeneration }),
    };
    this.#worker = new Worker(file, { name, workerData: data, transferList: transfer ?? [], resourceLimits });
    let reason = 'it ended by itself';
    let began = true;
    this.#worker.on('message', (message: FromThread<Notice>) => {
      if (message.kind === 'notice') onNotice?.(message.notice);
      else this.#settle(message);
    });
    this.#worker.on('error', (error) => {
      reason = describe(error);
      began = systemCode(error) !== 'ERR_WORKER_INIT_FAILED';
    });
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#dead = true;
        this.#failAll(
          began ? this.#died(reason) : roundtripError('engine.thread-not-started', { detail: systemReason(reason) }),
        );
        resolve();
        if (!this.#stopping) onDeath?.(reason, code === 0);
      });
    });
  }

  #died(detail: string): RoundtripError {
    if (this.#helper === undefined) return roundtripError('engine.thread-died', { detail });
    return roundtripError('engine.helper-died', { what: this.#helper, detail });
  }

  /**
   * Rejects with the failure that the thread reported, `engine.thread-not-started`, or `engine.thread-died`
   * (`engine.helper-died` for a helper).
   */
  call<N extends keyof M & string>(
    name: N,
    input: M[N]['input'],
    transfer: Transferable[] = [],
  ): Promise<M[N]['output']> {
    if (this.#dead) return Promise.reject(this.#died('it is gone'));
    this.#calls += 1;
    const call: ToThread = { id: this.#calls, name, input };
    return new Promise((resolve, reject) => {
      this.#waiting.set(call.id, { resolve, reject });
      this.#worker.postMessage(call, transfer);
    });
  }

  /** Resolves when the thread has ended. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /**
   * Waits at most `withinMs` milliseconds for the thread to end by itself, then terminates it. A thread stuck in a
   * system call (a frozen disk) cannot be terminated: it is abandoned, and nothing waits for it.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    if (await this.#goneWithin(withinMs)) return;
    void this.#worker.terminate();
    if (!(await this.#goneWithin(HANGS))) this.#worker.unref();
  }

  async #goneWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const gone = await Promise.race([this.#gone.then(() => true as const), late]);
    clearTimeout(timer);
    return gone;
  }

  #settle(reply: Exclude<FromThread<Notice>, { kind: 'notice' }>): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(new RoundtripError(reply.failure));
  }

  #failAll(error: RoundtripError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
