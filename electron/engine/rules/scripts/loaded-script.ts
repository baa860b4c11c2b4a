import fs from 'node:fs';
import type { Script } from '../../../../shared/model/rule/script.ts';
import { mayDefine, type ScriptHook } from '../../../../shared/model/rule/script-call.ts';
import { describe } from '../../../failures/errors.ts';
import { refuseLockedHere } from '../../../files/locked-here.ts';

/** A script of a rule, ready to run. */
export interface LoadedScript {
  source: string;
  /** Why there is no source; null: there is. */
  problem: string | null;
  /** Whether it collects bodies. */
  body: boolean;
}

/**
 * Reads a script's file, which is small, when its rules are loaded: from then on, the messages that it handles are
 * known.
 */
export function loadScript({ code, file, body }: Script): LoadedScript {
  if (code !== undefined) return { source: code, problem: null, body };
  try {
    // A named pipe would stop the engine until somebody writes to it.
    if (!fs.statSync(file ?? '').isFile()) return { source: '', problem: `${file} is not a file`, body };
    refuseLockedHere(file ?? '');
    return { source: fs.readFileSync(file ?? '', 'utf8'), problem: null, body };
  } catch (error) {
    return { source: '', problem: `${file} cannot be read: ${describe(error)}`, body };
  }
}

/**
 * Whether the script may have this function. Only the interpreter knows; a script that can't be read is reported once.
 */
export function mayHave({ source, problem }: LoadedScript, hook: ScriptHook): boolean {
  return problem === null ? mayDefine(source, hook) : hook === 'onRequest';
}

/** A script that a rule runs on one message. */
export interface PlannedScript {
  rule: string;
  script: LoadedScript;
}
