import { UserFile } from './user-file.ts';

/** Where an export goes: a file that appears complete or not at all, or standard output. */
export interface TextOutput {
  /** Resolves when the bytes are written. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves with the number of bytes when the output is complete. */
  finish(): Promise<number>;
  /** Never rejects. */
  discard(): Promise<void>;
}

/** `path`: null for standard output. Rejects as `UserFile.create` does. */
export async function openOutput(path: string | null): Promise<TextOutput> {
  return path === null ? new StandardOutput() : await UserFile.create(path);
}

class StandardOutput implements TextOutput {
  #bytes = 0;

  write(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length;
    return new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  finish(): Promise<number> {
    return Promise.resolve(this.#bytes);
  }

  /** Written output can't be undone. */
  discard(): Promise<void> {
    return Promise.resolve();
  }
}
