import type { ScriptProblem } from '../../../shared/model/rule/script-call.ts';
import { ScriptRunner } from './script-runner.ts';

/** The thread ends after this idle time, milliseconds: it holds an interpreter's memory. */
const IDLE = 30_000;

/** Compiles scripts on a separate thread. All checks share it; the first one starts it. */
export class ScriptChecker {
  readonly #runner: ScriptRunner;
  readonly #idle: number;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `folder`: where the threads' bundles and the interpreter are. `idle`: milliseconds. */
  constructor(folder: string, idle = IDLE) {
    this.#runner = new ScriptRunner(folder);
    this.#idle = idle;
  }

  /** Why a script does not compile; null: it does. Never runs it. Rejects if the thread dies. */
  readonly check = async (source: string): Promise<ScriptProblem | null> => {
    clearTimeout(this.#timer);
    this.#running += 1;
    try {
      return await this.#runner.check(source);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#timer = setTimeout(() => void this.close(), this.#idle).unref();
    }
  };

  /** A later check starts the thread again. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#runner.close();
  }
}
