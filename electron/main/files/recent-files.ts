import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import * as v from 'valibot';
import { readIfThere, writePrivateFile } from '../../commands/private-file.ts';

const SHOWN = 10;
const OpenedSchema = v.array(v.object({ file: v.string(), at: v.number() }));
type Opened = v.InferOutput<typeof OpenedSchema>;

/** The session files that were opened or recorded last, for the menu and the system's own lists (macOS, Windows). */
export class RecentFiles {
  readonly #file: string;
  readonly #finished: () => Opened;
  #opened: Opened;

  /** `finished`: recordings and when they were last changed. */
  constructor(dataFolder: string, finished: () => Opened) {
    this.#file = path.join(dataFolder, 'recent-files.json');
    this.#finished = finished;
    this.#opened = this.#read();
  }

  /** The newest first; files that are gone are left out. */
  list(): string[] {
    const latest = new Map<string, number>();
    for (const { file, at } of [...this.#opened, ...this.#finished()])
      latest.set(file, Math.max(at, latest.get(file) ?? 0));
    const newest = [...latest].sort(([, one], [, other]) => other - one).map(([file]) => file);
    return newest.filter((file) => fs.existsSync(file)).slice(0, SHOWN);
  }

  add(files: readonly string[]): void {
    const others = this.#opened.filter(({ file }) => !files.includes(file));
    this.#opened = [...files.map((file) => ({ file, at: Date.now() })), ...others].slice(0, SHOWN);
    for (const file of files) app.addRecentDocument(file);
    try {
      writePrivateFile(this.#file, `${JSON.stringify(this.#opened)}\n`);
    } catch {
      // A full disk is reported where it matters; the list is kept until the app ends.
    }
  }

  /** A damaged file counts as empty: the list is a convenience. */
  #read(): Opened {
    try {
      return v.parse(OpenedSchema, JSON.parse(readIfThere(this.#file) ?? '[]'));
    } catch {
      return [];
    }
  }
}
