import fs from 'node:fs';
import path from 'node:path';
import type { ScriptHost } from '../../electron/engine/rules/scripts/script-host.ts';
import type { CompileScript } from '../../electron/rules-file/named-faults.ts';
import { interpreterCode } from '../../electron/script/interpreter-code.ts';
import { ScriptVm } from '../../electron/script/script-vm.ts';

const WASM = interpreterCode(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../node_modules/quickjs-wasi/quickjs.wasm')),
);

/** Compiles scripts on this thread. */
export const compileScript: CompileScript = (source) => ScriptVm.check(WASM, source);

/** The interpreter, on this thread. Other tests start it on a separate thread, as the host does. */
export function scriptHost(): ScriptHost & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    wrote: (rule, level, text) => void lines.push(`${rule} ${level} ${text}`),
    run: async (source, input) => {
      const { vm, problem } = await ScriptVm.load(WASM, source);
      return problem ? { outcome: { ok: false, problem }, console: [] } : vm.run(input);
    },
  };
}
