import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Written at once: few writes for many small entries. */
const BUFFER = 256 * 1024;
/** Of a long text, so much is escaped in one go: its JSON never stands in memory beside it. UTF-16 units. */
const SLICE = 1024 * 1024;

/** A file that appears whole or not at all: written beside its place, then moved there. */
export class HarFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #buffer = '';
  #bytes = 0;

  /** Rejects as `fs` does. Readable by its owner alone, for it holds cookies and passwords. */
  static async create(path: string): Promise<HarFile> {
    return new HarFile(path, await open(temporary(path), 'w', 0o600));
  }

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Resolves when there is room for more. */
  async write(text: string): Promise<void> {
    this.#buffer += text;
    if (this.#buffer.length >= BUFFER) await this.#flush();
  }

  /** A JSON value, in which each of `texts` stands as the string that it is named by. */
  async writeJson(value: unknown, texts: ReadonlyMap<string, string>): Promise<void> {
    let rest = JSON.stringify(value);
    for (const [name, text] of texts) {
      const at = rest.indexOf(name);
      if (at < 0) continue;
      await this.write(rest.slice(0, at));
      await this.#writeEscaped(text);
      rest = rest.slice(at + name.length);
    }
    await this.write(rest);
  }

  /** Resolves with the file's size, bytes, when it is in its place. */
  async finish(): Promise<number> {
    await this.#flush();
    await this.#handle.close();
    await rename(temporary(this.#path), this.#path);
    return this.#bytes;
  }

  /** Leaves nothing behind. Never rejects. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(temporary(this.#path), { force: true }).catch(() => {});
  }

  async #writeEscaped(text: string): Promise<void> {
    for (let at = 0; at < text.length; ) {
      const end = endOfSlice(text, at + SLICE);
      await this.write(JSON.stringify(text.slice(at, end)).slice(1, -1));
      at = end;
    }
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffer);
    this.#buffer = '';
    for (let at = 0; at < bytes.length; ) at += (await this.#handle.write(bytes, at)).bytesWritten;
    this.#bytes += bytes.length;
  }
}

/** Not between the two halves of a character. */
function endOfSlice(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}

function temporary(path: string): string {
  return `${path}.tmp`;
}
