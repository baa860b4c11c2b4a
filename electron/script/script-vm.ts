import { EvalFlags, JSException, QuickJS } from 'quickjs-wasi';
import * as v from 'valibot';
import type { ScriptInput, ScriptOutput, ScriptProblem, ScriptResult } from '../../shared/model/rule/script-call.ts';
import type { InterpreterCode } from './interpreter-code.ts';
import { PRELUDE } from './prelude.ts';
import { type Ended, EndedSchema } from './script-outcome.ts';

/** Enough for a body of 10 MiB, the limit for editing, and some copies of it. */
const MEMORY_LIMIT = 128 * 1024 * 1024;
/** Less than the thread's own stack, whose end breaks the interpreter and names no line. Some 1,000 calls. */
const STACK_LIMIT = 256 * 1024;
/** An exchange waits while its script runs. Milliseconds. */
const TIME_LIMIT = 1000;
const NAME = 'rule-script';

/** Hides the objects of one script from those of another: each has its own interpreter. */
export class ScriptVm {
  readonly #vm: QuickJS;
  readonly #clock: { deadline: number };
  /** An interrupted interpreter, or one without memory, is not used again. */
  isSpent = false;

  private constructor(vm: QuickJS, clock: { deadline: number }) {
    this.#vm = vm;
    this.#clock = clock;
  }

  /** Runs the script's top level. Its failure becomes that of the first call. */
  static async load(wasm: InterpreterCode, source: string): Promise<{ vm: ScriptVm; problem: ScriptProblem | null }> {
    const clock = { deadline: Number.POSITIVE_INFINITY };
    const interruptHandler = (): boolean => performance.now() > clock.deadline;
    const quickJs = await QuickJS.create({
      ...{ wasm, memoryLimit: MEMORY_LIMIT, maxStackSize: STACK_LIMIT, interruptHandler },
    });
    const vm = new ScriptVm(quickJs, clock);
    quickJs.evalCode(PRELUDE, 'prelude');
    const problem = vm.#within(() => void quickJs.withScope(() => quickJs.evalCode(source, NAME)));
    return { vm, problem };
  }

  /** Compiles a script without running it. Null: no syntax error. */
  static async check(wasm: InterpreterCode, source: string): Promise<ScriptProblem | null> {
    const { vm } = await ScriptVm.load(wasm, '');
    return vm.#within(() => void vm.#vm.withScope(() => vm.#vm.evalCode(source, NAME, EvalFlags.COMPILE_ONLY)));
  }

  run(input: ScriptInput): ScriptResult {
    const vm = this.#vm;
    const problem = this.#within(() =>
      vm.withScope(() => {
        const handler = vm.evalCode(`typeof ${input.hook} === 'function' ? ${input.hook} : (() => undefined)`);
        const begin = vm.evalCode('__roundtrip.begin');
        vm.callFunction(begin, vm.undefined, handler, vm.newString(JSON.stringify(input)));
        vm.executePendingJobs();
      }),
    );
    const ended = this.#ended();
    const outcome = problem ? { ok: false as const, problem } : this.#outcomeOf(ended);
    return { outcome, console: ended?.console ?? [] };
  }

  #within(work: () => void): ScriptProblem | null {
    this.#clock.deadline = performance.now() + TIME_LIMIT;
    try {
      work();
      return null;
    } catch (error) {
      if (error instanceof JSException) return this.#problemOf(error.name, error.message, error.stack ?? '');
      // Only the text of what ended a job, behind an await, comes through.
      const [, name, message] = /^Job execution error: (\w+): (.*)$/s.exec(String((error as Error).message)) ?? [];
      this.isSpent = true;
      return this.#problemOf(name ?? 'Error', message ?? 'its calls or its data are nested too deeply', '');
    } finally {
      this.#clock.deadline = Number.POSITIVE_INFINITY;
    }
  }

  #ended(): Ended | null {
    try {
      const text = this.#vm.withScope(() => this.#vm.dump(this.#vm.evalCode('__roundtrip.end()')));
      return v.parse(EndedSchema, JSON.parse(String(text)));
    } catch {
      // Out of memory, or the script damaged its environment.
      this.isSpent = true;
      return null;
    }
  }

  #outcomeOf(ended: Ended | null): ScriptResult['outcome'] {
    if (ended?.error) {
      const { name, message, stack } = ended.error;
      return { ok: false, problem: this.#problemOf(name, message, stack) };
    }
    if (ended?.output) return { ok: true, output: ended.output satisfies ScriptOutput };
    const detail = ended ? 'it waits for something that never happens' : 'its result is not a message';
    return { ok: false, problem: { kind: 'threw', line: null, column: null, detail } };
  }

  #problemOf(name: string, message: string, stack: string): ScriptProblem {
    const found = new RegExp(`${NAME}:(\\d+)(?::(\\d+))?`).exec(`${stack}\n${message}`);
    const [line, column] = [found?.[1], found?.[2]].map((text) => (text === undefined ? null : Number(text)));
    const isLate = name === 'InternalError' && message === 'interrupted';
    const isFull = message.includes('out of memory');
    if (isLate || isFull) this.isSpent = true;
    const detail = isLate
      ? `it ran for more than ${TIME_LIMIT / 1000} s`
      : isFull
        ? 'it ran out of memory'
        : `${name}: ${message}`;
    return {
      kind: isLate ? 'too-long' : isFull ? 'memory' : 'threw',
      line: line ?? null,
      column: column ?? null,
      detail,
    };
  }
}
