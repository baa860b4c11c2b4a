import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { interpreterCode } from '../../script/interpreter-code.ts';
import { ScriptVm } from '../../script/script-vm.ts';
import { answerCalls } from '../thread-call.ts';
import type { ScriptCalls, ScriptThreadData } from './script-calls.ts';

const host = parentPort;
if (host === null) throw new Error('script-thread runs as a worker thread');
const wasm = interpreterCode(fs.readFileSync((workerData as ScriptThreadData).wasmFile));

/** Scripts keep their state between exchanges. The least recently used are dropped. */
const MOST_SCRIPTS = 20;
const loaded = new Map<string, ReturnType<typeof ScriptVm.load>>();

function load(source: string): ReturnType<typeof ScriptVm.load> {
  const script = loaded.get(source) ?? ScriptVm.load(wasm, source);
  loaded.delete(source);
  loaded.set(source, script);
  const [oldest] = loaded.keys();
  if (loaded.size > MOST_SCRIPTS && oldest !== undefined) loaded.delete(oldest);
  return script;
}

answerCalls<ScriptCalls>(host, {
  check: ({ source }) => ScriptVm.check(wasm, source),
  run: async ({ source, input }) => {
    const { vm, problem } = await load(source);
    const result = problem ? { outcome: { ok: false as const, problem }, console: [] } : vm.run(input);
    if (problem || vm.isSpent) loaded.delete(source);
    return result;
  },
});
