import path from 'node:path';
import type { RunScript, ScriptProblem, ScriptResult } from '../../../shared/model/rule/script-call.ts';
import { Thread } from '../thread.ts';
import type { ScriptCalls } from './script-calls.ts';

/**
 * The interpreter ends a script itself; its thread is terminated if that has not happened by this time. Milliseconds.
 */
const TIME_LIMIT = 5_000;

/** Runs the scripts of rules on a separate thread, in sequence. The thread starts with the first script. */
export class ScriptRunner {
  readonly #folder: string;
  #thread: Thread<ScriptCalls> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** `folder`: where the threads' bundles and the interpreter are. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly run: RunScript = (source, input) => {
    // One at a time: the limit applies to one script, not to those before it.
    const result = this.#last.then(() => this.#run(source, input));
    this.#last = result;
    return result;
  };

  /** Why a script does not compile; null: it does. Never runs it. Rejects if the thread dies. */
  async check(source: string): Promise<ScriptProblem | null> {
    return await this.#running().call('check', { source });
  }

  async #run(...[source, input]: Parameters<RunScript>): Promise<ScriptResult> {
    const thread = this.#running();
    // The limit is the script's: on a busy machine, starting its thread takes seconds.
    await thread.ready;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<ScriptResult>((resolve) => {
      timer = setTimeout(() => {
        void this.#end(thread);
        resolve(failed('too-long', `it ran for more than ${TIME_LIMIT / 1000} s`));
      }, TIME_LIMIT);
    });
    try {
      return await Promise.race([thread.call('run', { source, input }), late]);
    } catch {
      void this.#end(thread);
      return failed('memory', 'the thread that runs scripts died');
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    if (this.#thread) await this.#end(this.#thread);
  }

  #running(): Thread<ScriptCalls> {
    this.#thread ??= new Thread<ScriptCalls>({
      file: path.join(this.#folder, 'script-thread.cjs'),
      name: 'roundtrip scripts',
      helper: 'the one that runs the scripts of rules',
      data: { wasmFile: path.join(this.#folder, 'quickjs.wasm') },
      onDeath: () => {
        this.#thread = null;
      },
    });
    return this.#thread;
  }

  async #end(thread: Thread<ScriptCalls>): Promise<void> {
    if (this.#thread === thread) this.#thread = null;
    await thread.stop(0);
  }
}

function failed(kind: 'too-long' | 'memory', detail: string): ScriptResult {
  return { outcome: { ok: false, problem: { kind, line: null, column: null, detail } }, console: [] };
}
