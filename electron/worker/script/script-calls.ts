import type { ScriptInput, ScriptResult } from '../../../shared/model/rule/script-call.ts';

/** `workerData` of the thread that runs scripts. */
export interface ScriptThreadData {
  /** Path of the interpreter, quickjs.wasm. */
  wasmFile: string;
}

export type ScriptCalls = {
  run: { input: { source: string; input: ScriptInput }; output: ScriptResult };
};
