import fs from 'node:fs';
import path from 'node:path';
import { isMainThread, type Transferable, Worker } from 'node:worker_threads';
import { describe, RoundtripError, roundtripError, systemCode } from '../failures/errors.ts';
import { type CallMap, END, type FromThread, type ToThread } from './thread-call.ts';

/** A thread that has not ended this long after it was asked to is stuck in a task. Milliseconds. */
const LISTENS = 1000;
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

/**
 * Node starts no thread while the process's working folder does not exist, and a recorded command may have removed it:
 * the HAR would then not be written, and no thread that died would return. Only the main thread may change the folder.
 */
function leaveRemovedFolder(): void {
  if (!isMainThread) return;
  try {
    // Not process.cwd(): it remembers its first answer.
    fs.realpathSync.native('.');
  } catch {
    process.chdir(path.parse(process.execPath).root);
  }
}

/** A worker thread that answers calls. */
export class Thread<M extends CallMap, Notice = never> {
  readonly #worker: Worker;
  readonly #helper: string | undefined;
  readonly #waiting = new Map<number, Waiting>();
  readonly #gone: Promise<void>;
  readonly #ready: Promise<void>;
  #calls = 0;
  #stopping = false;
  /** Why it can't be called any more; null while it can. */
  #end: RoundtripError | null = null;

  constructor(options: ThreadOptions<Notice>) {
    const { file, name, data, transfer, youngGeneration, oldGeneration, onNotice, onDeath } = options;
    this.#helper = options.helper;
    const resourceLimits = {
      ...(youngGeneration === undefined ? {} : { maxYoungGenerationSizeMb: youngGeneration }),
      ...(oldGeneration === undefined ? {} : { maxOldGenerationSizeMb: oldGeneration }),
    };
    leaveRemovedFolder();
    this.#worker = new Worker(file, { name, workerData: data, transferList: transfer ?? [], resourceLimits });
    let reason = 'it ended by itself';
    let began = true;
    let isReady = (): void => undefined;
    this.#ready = new Promise((resolve) => {
      isReady = resolve;
    });
    this.#worker.on('message', (message: FromThread<Notice>) => {
      if (message.kind === 'notice') onNotice?.(message.notice);
      else if (message.kind === 'ready') isReady();
      else this.#settle(message);
    });
    this.#worker.on('error', (error) => {
      reason = describe(error);
      began = systemCode(error) !== 'ERR_WORKER_INIT_FAILED';
    });
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#end = began
          ? this.#died(reason)
          : roundtripError('engine.thread-not-started', { detail: systemReason(reason) });
        this.#failAll(this.#end);
        isReady();
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
    if (this.#end) return Promise.reject(this.#end);
    this.#calls += 1;
    const call: ToThread = { id: this.#calls, name, input };
    return new Promise((resolve, reject) => {
      this.#waiting.set(call.id, { resolve, reject });
      this.#worker.postMessage(call, transfer);
    });
  }

  /** Resolves when the thread answers calls, or has ended: a limit for a call must not count the thread's start. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Resolves when the thread has ended. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  /**
   * Waits at most `withinMs` milliseconds for the thread to end by itself, then asks it to end, then terminates it. It
   * asks first because `terminate` also interrupts native modules: koffi then aborts the process while it is loaded. A
   * thread stuck in a system call (a frozen disk) cannot be terminated: it is abandoned, and nothing waits for it.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    if (withinMs > 0 && (await this.#goneWithin(withinMs))) return;
    this.#worker.postMessage(END);
    if (await this.#goneWithin(LISTENS)) return;
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

  #settle(reply: Extract<FromThread<Notice>, { kind: 'reply' }>): void {
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
