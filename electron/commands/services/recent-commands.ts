import path from 'node:path';
import * as v from 'valibot';
import { type RecentCommand, RecentCommandSchema } from '../../../shared/model/client.ts';
import { readIfThere, writePrivateFile } from '../private-file.ts';

const MOST = 20;

/** The commands run from the window, most recent first. They may contain secrets: only the owner can read the file. */
export class RecentCommands {
  readonly #file: string;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, 'recent-commands.json');
  }

  /** Returns an empty list if the file can't be read: it is not important enough for a failure. */
  list(): RecentCommand[] {
    try {
      return v.parse(v.array(RecentCommandSchema), JSON.parse(readIfThere(this.#file) ?? '[]'));
    } catch {
      return [];
    }
  }

  add(run: RecentCommand): void {
    this.#write([run, ...this.#without(run)].slice(0, MOST));
  }

  remove(run: RecentCommand): void {
    this.#write(this.#without(run));
  }

  #without({ command, as }: RecentCommand): RecentCommand[] {
    return this.list().filter((one) => one.command !== command || one.as !== as);
  }

  #write(commands: readonly RecentCommand[]): void {
    writePrivateFile(this.#file, JSON.stringify(commands));
  }
}
