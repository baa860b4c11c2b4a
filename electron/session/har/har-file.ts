import { UserFile } from '../../files/user-file.ts';

/** Written at once: few writes for many small entries. */
const BUFFER = 256 * 1024;
/** Of a long text, so much is escaped in one go: its JSON never stands in memory beside it. UTF-16 units. */
const SLICE = 1024 * 1024;

/** Text of a HAR on its way into a `UserFile`. */
export class HarFile {
  readonly #file: UserFile;
  #buffer = '';

  /** Rejects as `UserFile.create` does. */
  static async create(path: string): Promise<HarFile> {
    return new HarFile(await UserFile.create(path));
  }

  private constructor(file: UserFile) {
    this.#file = file;
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
    return await this.#file.finish();
  }

  /** Leaves nothing behind. Never rejects. */
  discard(): Promise<void> {
    return this.#file.discard();
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
    await this.#file.write(bytes);
  }
}

/** Not between the two halves of a character. */
function endOfSlice(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
