import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';

const STOP_LIMIT = 5000;
const alive = new Set<Child>();

/** Ends all that was started, at once: for a benchmark that is itself ended in the middle. */
export function killAll(): void {
  for (const child of alive) child.process.kill('SIGKILL');
}

export interface ChildOptions {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A program that the benchmark started, its lines of JSON, and its end. */
export class Child {
  readonly process: ChildProcess;
  readonly #command: string;
  readonly #lines: unknown[] = [];
  readonly #waiting: ((line: unknown) => void)[] = [];
  #stderr = '';
  #ended: Promise<void>;

  constructor({ command, args, env, cwd }: ChildOptions) {
    this.#command = `${path.basename(command)} ${args[0] ?? ''}`;
    this.process = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    // A failed start also emits `close`.
    this.process.on('error', (error) => {
      this.#stderr += error.message;
    });
    this.process.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-4000);
    });
    if (this.process.stdout) readline.createInterface({ input: this.process.stdout }).on('line', (l) => this.#take(l));
    alive.add(this);
    this.#ended = once(this.process, 'close').then(() => {
      alive.delete(this);
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Programs also print text for people, which is left out. */
  #take(line: string): void {
    if (!line.startsWith('{')) return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting) waiting(parsed);
    else this.#lines.push(parsed);
  }

  /** The next line of JSON. Rejects if the program ends, or prints nothing for `limit` milliseconds. */
  async line<T>(limit: number): Promise<T> {
    if (this.#lines.length > 0) return this.#lines.shift() as T;
    let timer: NodeJS.Timeout | undefined;
    const line = new Promise<unknown>((resolve) => this.#waiting.push(resolve));
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.#error(`said nothing for ${limit} ms`)), limit);
    });
    const ended = this.#ended.then(() => Promise.reject(this.#error('ended')));
    try {
      return (await Promise.race([line, late, ended])) as T;
    } finally {
      clearTimeout(timer);
      ended.catch(() => {});
    }
  }

  #error(what: string): Error {
    return new Error(`${this.#command} ${what}: ${this.#stderr.trim()}`);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), STOP_LIMIT);
    await this.#ended;
    clearTimeout(timer);
  }
}
