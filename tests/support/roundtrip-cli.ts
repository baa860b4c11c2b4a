import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export const DIST = path.resolve('dist');

export interface Finished {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ReadyEvent {
  event: 'ready';
  proxy: string;
  ui: string;
  ca: string;
  pid: number;
  reverse?: { url: string; origin: string }[];
}

/** The built command line as a separate process, with its own home and data folder. */
export class RoundtripCli {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly lines: string[] = [];
  readonly finished: Promise<Finished>;
  readonly #waiting: ((line: string) => void)[] = [];
  #stderr = '';

  constructor(
    args: readonly string[],
    options: {
      script?: string;
      folder?: string;
      node?: string;
      env?: Record<string, string>;
      stdout?: string | undefined;
    } = {},
  ) {
    const script = options.script ?? path.join(DIST, 'cli.cjs');
    if (!fs.existsSync(script)) throw new Error(`${script} is not built: npm run build`);
    this.folder = options.folder ?? temporaryFolder();
    const home = { HOME: this.folder, XDG_DATA_HOME: path.join(this.folder, 'data'), XDG_CONFIG_HOME: this.folder };
    // Shared: compiled code is the same for all tests.
    const cache = { XDG_CACHE_HOME: path.join(os.tmpdir(), 'roundtrip-test-cache') };
    // A file or device that receives the output instead of us.
    const stdout = options.stdout === undefined ? 'pipe' : fs.openSync(options.stdout, 'w');
    this.child = spawn(options.node ?? process.execPath, [script, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...home, ...cache, ...options.env },
      stdio: ['ignore', stdout, 'pipe'],
    });
    if (typeof stdout === 'number') fs.closeSync(stdout);
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.#read();
    this.finished = once(this.child, 'close').then(([exitCode, signal]) => ({
      exitCode,
      signal,
      stdout: this.lines.map((line) => `${line}\n`).join(''),
      stderr: this.#stderr,
    }));
  }

  /** What has arrived so far. */
  get stderr(): string {
    return this.#stderr;
  }

  #read(): void {
    this.child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr += piece;
    });
    if (!this.child.stdout) return;
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#waiting.shift()?.(line);
    });
  }

  /** The first line: with `--json`, the ready event. Rejects if the process ends first. */
  async ready(): Promise<ReadyEvent> {
    const line = this.lines[0] ?? (await Promise.race([this.#nextLine(), this.#endedEarly()]));
    return JSON.parse(line);
  }

  #nextLine(): Promise<string> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #endedEarly(): Promise<never> {
    const { exitCode, stderr } = await this.finished;
    throw new Error(`roundtrip ended with ${exitCode}: ${stderr}`);
  }
}

/** Runs it to its end. */
export function runRoundtrip(
  args: readonly string[],
  options: ConstructorParameters<typeof RoundtripCli>[1] = {},
): Promise<Finished> {
  return new RoundtripCli(args, options).finished;
}
