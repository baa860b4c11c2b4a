import type { ConsoleLevel } from '../../../../shared/model/rule/script.ts';
import type { RunScript } from '../../../../shared/model/rule/script-call.ts';

/** The engine's interface to the thread that runs scripts. */
export interface ScriptHost {
  run: RunScript;
  /** A rule's script wrote a line, or failed. */
  wrote(rule: string, level: ConsoleLevel, text: string): void;
}

/** For an engine that was started without one. */
export const NO_SCRIPTS: ScriptHost = {
  run: () =>
    Promise.resolve({
      outcome: {
        ok: false,
        problem: { kind: 'threw', line: null, column: null, detail: 'there is no interpreter for scripts' },
      },
      console: [],
    }),
  wrote: () => {},
};
