import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { FileSink, FileTarget } from '../commands/host-services.ts';
import { makeFolder } from '../files/make-folder.ts';

/** Files for agents: in a private folder, under our own names. An agent gets the path, and never chooses it. */
export class AgentFiles implements FileSink {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async choose({ extension }: { extension: string }): Promise<FileTarget> {
    makeFolder(this.#folder);
    const file = path.join(this.#folder, `export-${randomBytes(6).toString('hex')}.${extension}`);
    return {
      path: file,
      finish: async (size) => ({ status: 'saved', path: file, note: null, ...size }),
      discard: () => fs.promises.rm(file, { force: true }),
    };
  }
}
