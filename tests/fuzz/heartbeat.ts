import { LONGEST } from './mutate.ts';

const COUNT = 0;
const LENGTH = 1;
const TARGET = 2;
const WORDS = 3;

/** The current input of the fuzzing thread, readable by another thread even if the first hangs. */
export class Heartbeat {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(shared = new SharedArrayBuffer(WORDS * 4 + LONGEST)) {
    this.shared = shared;
    this.#numbers = new Int32Array(shared, 0, WORDS);
    this.#bytes = new Uint8Array(shared, WORDS * 4);
  }

  /** Before each input. `target`: its place among the targets. */
  beat(target: number, bytes: Buffer): void {
    this.#bytes.set(bytes);
    this.#numbers[LENGTH] = bytes.length;
    this.#numbers[TARGET] = target;
    Atomics.add(this.#numbers, COUNT, 1);
  }

  /** Increments with each input. */
  get count(): number {
    return Atomics.load(this.#numbers, COUNT);
  }

  get current(): { target: number; bytes: Buffer } {
    const bytes = Buffer.from(this.#bytes.slice(0, this.#numbers[LENGTH]));
    return { target: this.#numbers[TARGET] ?? 0, bytes };
  }
}
