import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FileSink, FileTarget } from '../commands/host-services.ts';

interface Waiting {
  path: string;
  name: string;
  bytes: number;
}

/** Files for the browser to download, each once, at an unguessable URL. */
export class Downloads implements FileSink {
  readonly #waiting = new Map<string, Waiting>();
  #folder: string | null = null;

  async choose({ name }: { name: string }): Promise<FileTarget> {
    this.#folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-downloads-'));
    const id = randomBytes(32).toString('base64url');
    const file = path.join(this.#folder, id);
    return {
      path: file,
      finish: async (size) => {
        this.#waiting.set(id, { path: file, name, bytes: size.bytes });
        return { status: 'ready', url: `/download/${id}`, note: null, ...size };
      },
      discard: () => fs.promises.rm(file, { force: true }),
    };
  }

  /** Returns the file at a URL's path and forgets it: each file can be taken once. Null if there is none. */
  take(pathname: string): (Omit<Waiting, 'path'> & { stream: fs.ReadStream }) | null {
    const id = pathname.startsWith('/download/') ? pathname.slice('/download/'.length) : '';
    const found = this.#waiting.get(id);
    if (found === undefined) return null;
    this.#waiting.delete(id);
    const stream = fs.createReadStream(found.path);
    stream.once('close', () => fs.rmSync(found.path, { force: true }));
    return { name: found.name, bytes: found.bytes, stream };
  }

  /** Removes files that were not downloaded. */
  close(): void {
    if (this.#folder !== null) fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
