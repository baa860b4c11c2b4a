import type { ConsoleLevel } from './script.ts';

/** A field: name and value. */
export type Field = [name: string, value: string];

/** What a script sees of a request, and may change. `body`: null if it is not available to the script. */
export interface ScriptRequest {
  method: string;
  url: string;
  headers: Field[];
  body: string | null;
}

export interface ScriptResponse {
  status: number;
  headers: Field[];
  body: string | null;
}

/** A response that a script creates. */
export interface ScriptAnswer {
  status: number;
  headers: Field[];
  body: string;
}

/** One message of a stream. `body`: null if it cannot be decoded. */
export interface ScriptMessage {
  direction: 'to-server' | 'to-client';
  body: string | null;
}

/** The functions that a script may define. */
export const SCRIPT_HOOKS = ['onRequest', 'onResponse', 'onMessage'] as const;
export type ScriptHook = (typeof SCRIPT_HOOKS)[number];

/** Whether a script may define the function, by the names in its text: only the interpreter knows. */
export function mayDefine(source: string, hook: ScriptHook): boolean {
  return new RegExp(`\\b${hook}\\b`).test(source);
}

/** One run of a script's function. */
export type ScriptInput =
  | { hook: 'onRequest'; rule: string; request: ScriptRequest }
  | { hook: 'onResponse'; rule: string; request: ScriptRequest; response: ScriptResponse }
  | { hook: 'onMessage'; rule: string; request: ScriptRequest; message: ScriptMessage };

export interface ScriptOutput {
  request: ScriptRequest;
  response: ScriptResponse | null;
  /** For `onRequest`: the response that it returned; null: none. */
  answer: ScriptAnswer | null;
  /** For `onMessage`; null: the message is dropped, or it is another hook. */
  message: { body: string | null } | null;
}

/** How a script failed. `line` and `column` count from 1; null: not known. */
export interface ScriptProblem {
  kind: 'threw' | 'too-long' | 'memory';
  line: number | null;
  column: number | null;
  detail: string;
}

export interface ScriptResult {
  outcome: { ok: true; output: ScriptOutput } | { ok: false; problem: ScriptProblem };
  console: { level: ConsoleLevel; text: string }[];
}

/** Runs a function of a script. Never rejects. `source`: the whole script. */
export type RunScript = (source: string, input: ScriptInput) => Promise<ScriptResult>;
