import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

type Parameters = Readonly<Record<string, unknown>>;

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message?: string };
}

interface Call {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: Error) => void;
}

/**
 * A client of Chromium's DevTools protocol over `--remote-debugging-pipe`: JSON messages that end with a zero byte. The
 * pipe belongs to us alone, while a debugging port would be open to every program of the machine.
 */
export class DevtoolsPipe {
  readonly #output: Writable;
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #lastId = 0;
  #problem: Error | null = null;

  /** `input`: what the browser writes; `output`: what it reads. */
  constructor(input: Readable, output: Writable) {
    this.#output = output;
    input.on('data', (bytes: Buffer) => this.#read(bytes));
    // The end of the process reports why; calls made after it are refused.
    output.on('error', () => undefined);
    input.on('error', () => undefined);
  }

  /**
   * Rejects with the browser's message, or when the pipe is closed. `session`: a page's, from `Target.attachToTarget`.
   */
  call(method: string, params: Parameters = {}, session?: string): Promise<Record<string, unknown>> {
    if (this.#problem) return Promise.reject(this.#problem);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#output.write(`${JSON.stringify({ id, method, params, ...(session && { sessionId: session }) })}\0`);
    });
  }

  /** Resolves with the parameters of the next event `method` of a page. Rejects when the pipe is closed. */
  next(method: string, session: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const listener = (message: Message): void => {
        if (message.error === undefined && (message.method !== method || message.sessionId !== session)) return;
        this.#listeners.delete(listener);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.params ?? {});
      };
      this.#listeners.add(listener);
    });
  }

  /** Rejects everything that waits. */
  close(problem: Error): void {
    this.#problem = problem;
    for (const { reject } of this.#calls.values()) reject(problem);
    this.#calls.clear();
    for (const listener of [...this.#listeners]) listener({ error: { message: problem.message } });
  }

  #read(bytes: Buffer): void {
    const parts = (this.#text + this.#decoder.write(bytes)).split('\0');
    this.#text = parts.pop() ?? '';
    for (const part of parts) this.#take(JSON.parse(part));
  }

  #take(message: Message): void {
    const call = message.id === undefined ? undefined : this.#calls.get(message.id);
    if (call === undefined) {
      for (const listener of [...this.#listeners]) listener(message);
      return;
    }
    this.#calls.delete(message.id ?? 0);
    if (message.error) call.reject(new Error(message.error.message ?? 'the browser refused a command'));
    else call.resolve(message.result ?? {});
  }
}
