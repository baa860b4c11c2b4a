import type { ConsoleLine } from '../../../shared/model/rule/script.ts';

/** Lines that are kept: a script may write some for each exchange. */
const MOST_LINES = 500;

/** The latest console lines of rules' scripts. */
export class ScriptConsole {
  #lines: ConsoleLine[] = [];
  #ids = 0;

  get lines(): readonly ConsoleLine[] {
    return this.#lines;
  }

  /** Returns the line with its id. */
  add(line: Omit<ConsoleLine, 'id'>): ConsoleLine {
    this.#ids += 1;
    const added = { ...line, id: this.#ids };
    this.#lines = [...this.#lines.slice(1 - MOST_LINES), added];
    return added;
  }

  clear(): void {
    this.#lines = [];
  }
}
