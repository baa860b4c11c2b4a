import { openOutput, type TextOutput } from '../../files/text-output.ts';

/** Bytes per write. Many small entries then need few writes. */
const BUFFER = 256 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const UNIT_BYTES = 3;
/** Long texts are escaped in slices: memory never holds the whole text and its JSON. UTF-16 units. */
const SLICE = 1024 * 1024;

/**
 * Writes a HAR's text. Two buffers alternate: one is filled while the other is written. Allocating a
 * buffer for each write cost more than the encoding.
 */
export class HarFile {
  readonly #file: TextOutput;
  #filling = Buffer.allocUnsafeSlow(BUFFER);
  #spare = Buffer.allocUnsafeSlow(BUFFER);
  #filled = 0;
  #writing: Promise<void> = Promise.resolve();

  /** Rejects like `openOutput`. */
  static async create(path: string | null): Promise<HarFile> {
    return new HarFile(await openOutput(path));
  }

  private constructor(file: TextOutput) {
    this.#file = file;
  }

  /** Resolves when there is room for more. */
  async write(text: string): Promise<void> {
    if (text.length * UNIT_BYTES > BUFFER - this.#filled) {
      await this.#flush();
      if (text.length * UNIT_BYTES > BUFFER) return await this.#start(Buffer.from(text));
    }
    this.#filled += this.#filling.write(text, this.#filled);
  }

  /** Writes JSON. `texts`: texts by the placeholder to replace, in the order of the placeholders in the JSON. */
  async writeWith(json: string, texts: ReadonlyMap<string, string>): Promise<void> {
    let rest = json;
    for (const [name, text] of texts) {
      const at = rest.indexOf(name);
      if (at < 0) continue;
      await this.write(rest.slice(0, at));
      await this.#writeEscaped(text);
      rest = rest.slice(at + name.length);
    }
    await this.write(rest);
  }

  /** Resolves with the file's size in bytes when the file is in place. */
  async finish(): Promise<number> {
    await this.#flush();
    await this.#writing;
    return await this.#file.finish();
  }

  /** Removes the unfinished file. Never rejects. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.discard();
  }

  async #writeEscaped(text: string): Promise<void> {
    for (let at = 0; at < text.length; ) {
      const end = endOfSlice(text, at + SLICE);
      await this.write(JSON.stringify(text.slice(at, end)).slice(1, -1));
      at = end;
    }
  }

  async #flush(): Promise<void> {
    const bytes = this.#filling.subarray(0, this.#filled);
    await this.#start(bytes);
    this.#filled = 0;
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
  }

  /** Resolves when the previous write has ended: its buffer is free, and at most one write is in progress. */
  async #start(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    this.#writing = this.#file.write(bytes);
    // The next write or `finish` reports the error.
    this.#writing.catch(() => undefined);
  }
}

/** Avoids splitting a surrogate pair. */
function endOfSlice(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
