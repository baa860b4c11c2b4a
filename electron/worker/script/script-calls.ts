import type { ScriptInput, ScriptProblem, ScriptResult } from '../../../shared/model/rule/script-call.ts';

/** `workerData` of the thread that runs scripts. */
export interface ScriptThreadData {
  /** Path of the interpreter, quickjs.wasm. */
  wasmFile: string;
}

export type ScriptCalls = {
  /** Whether the script compiles; it does not run. */
  check: { input: { source: string }; output: ScriptProblem | null };
  run: { input: { source: string; input: ScriptInput }; output: ScriptResult };
};
