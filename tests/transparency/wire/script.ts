import { createHash } from 'node:crypto';
import type net from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** One thing that a side does, in order. Text is Latin-1, a character a byte. */
export type Step =
  | { send: string }
  /** This many bytes of a pattern, with backpressure. */
  | { fill: number }
  /** Waits until this has come, after what the last `until` found. */
  | { until: string }
  /** Waits until as much has come as the other side's script sends in all. */
  | 'all'
  /** Waits until the other side has ended in any way. */
  | 'ended'
  /** The two sides wait for each other by these: nothing is in one packet by chance. */
  | { tell: string }
  | { hear: string }
  /** Sends nothing for this many milliseconds. */
  | { silence: number }
  /** Ends its own direction; cuts the connection; resets it. */
  | 'end'
  | 'destroy'
  | 'reset';

/** What one side got. Past `KEPT` bytes only the hash and the length tell. */
export interface Got {
  text: string;
  length: number;
  sha256: string;
  end: 'open' | 'ended' | 'cut' | 'reset';
  /** Whether it ended the connection itself, which says nothing about the other side. */
  endedItself: boolean;
  /** The step that did not finish in time. */
  stuck: string | null;
}

const KEPT = 1024 * 1024;
const STEP_TIME = 5_000;
const PATTERN = Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 31 + (index >> 8)) & 0xff));

/** Where the two sides of one run synchronize. */
export class Meeting {
  readonly #told = new Set<string>();
  #waiting: (() => void)[] = [];

  tell(what: string): void {
    this.#told.add(what);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async hear(what: string): Promise<void> {
    while (!this.#told.has(what)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** The bytes that a script sends in all. */
export function sends(steps: readonly Step[]): number {
  let sum = 0;
  for (const step of steps) {
    if (typeof step === 'string') continue;
    if ('send' in step) sum += step.send.length;
    else if ('fill' in step) sum += step.fill;
  }
  return sum;
}

/** Node resets TCP sockets only; a TLS socket's is the one that it was made of. */
function resetBelow(socket: net.Socket & { _parent?: net.Socket }): void {
  (socket._parent ?? socket).resetAndDestroy();
}

/** One side of a connection as it plays its script, and what it gets meanwhile. */
export class Player {
  readonly #socket: Duplex;
  readonly #meeting: Meeting;
  readonly #expected: number;
  readonly #hash = createHash('sha256');
  #text = '';
  #length = 0;
  #found = 0;
  #end: Got['end'] = 'open';
  #stuck: string | null = null;
  #endedItself = false;
  #waiting: (() => void)[] = [];

  /** `expected`: what `all` waits for, bytes. */
  constructor(socket: Duplex, meeting: Meeting, expected: number) {
    this.#socket = socket;
    this.#meeting = meeting;
    this.#expected = expected;
    socket.on('data', (chunk: Buffer) => {
      this.#hash.update(chunk);
      this.#length += chunk.length;
      if (this.#text.length < KEPT) this.#text += chunk.toString('latin1');
      this.#wake();
    });
    socket.on('end', () => this.#ends('ended'));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#ends(error.code === 'ECONNRESET' ? 'reset' : 'cut'));
    socket.on('close', () => this.#ends('cut'));
  }

  get got(): Got {
    const sha256 = this.#hash.copy().digest('hex');
    return {
      text: this.#text,
      length: this.#length,
      sha256,
      end: this.#end,
      endedItself: this.#endedItself,
      stuck: this.#stuck,
    };
  }

  #ends(how: Got['end']): void {
    if (this.#end === 'open') this.#end = how;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #until(ready: () => boolean): Promise<void> {
    while (!ready()) {
      if (this.#end !== 'open') throw new Error(`the connection ${this.#end}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const limit = typeof step === 'object' && 'fill' in step ? STEP_TIME * 12 : STEP_TIME;
        timer = setTimeout(() => reject(new Error('no end')), this.#expected > KEPT ? STEP_TIME * 12 : limit);
      });
      try {
        await Promise.race([this.#do(step), late]);
      } catch (error) {
        this.#stuck = `${JSON.stringify(step)}: ${error instanceof Error ? error.message : error}`;
        return;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  #do(step: Step): Promise<void> | void {
    if (step === 'end' || step === 'destroy' || step === 'reset') this.#endedItself = true;
    if (step === 'all') return this.#until(() => this.#length >= this.#expected);
    if (step === 'ended') return this.#ended();
    if (step === 'end') this.#socket.end();
    else if (step === 'destroy') this.#socket.destroy();
    else if (step === 'reset') resetBelow(this.#socket as net.Socket & { _parent?: net.Socket });
    else if ('send' in step) this.#socket.write(step.send, 'latin1');
    else if ('fill' in step) return this.#fill(step.fill);
    else if ('silence' in step) return sleep(step.silence);
    else if ('tell' in step) this.#meeting.tell(step.tell);
    else if ('hear' in step) return this.#meeting.hear(step.hear);
    else return this.#find(step.until);
  }

  async #ended(): Promise<void> {
    while (this.#end === 'open') await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #find(text: string): Promise<void> {
    await this.#until(() => this.#text.includes(text, this.#found));
    this.#found = this.#text.indexOf(text, this.#found) + text.length;
  }

  async #fill(size: number): Promise<void> {
    for (let sent = 0; sent < size; sent += PATTERN.length) {
      const open = this.#socket.write(PATTERN.subarray(0, Math.min(PATTERN.length, size - sent)));
      if (!open && !this.#socket.destroyed) await this.#drained();
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#socket.off('drain', go).off('close', go);
        resolve();
      };
      this.#socket.on('drain', go).on('close', go);
    });
  }
}
