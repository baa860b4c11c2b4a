import * as v from 'valibot';

/** JavaScript that sees and changes messages; its functions are in docs/script.d.ts. */
export const ScriptSchema = v.strictObject({
  /** The script, or the file that holds it. */
  code: v.optional(v.pipe(v.string(), v.minLength(1))),
  file: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** Whether bodies are collected for the script. Without, they stream past it. */
  body: v.optional(v.boolean(), true),
});
export type Script = v.InferOutput<typeof ScriptSchema>;

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** A line that a script wrote to its console, or why it failed (`level` is `error`). */
export const ConsoleLineSchema = v.object({
  /** Increments; never used twice by one host. */
  id: v.number(),
  /** Milliseconds since the Unix epoch. */
  at: v.number(),
  rule: v.string(),
  level: v.picklist(CONSOLE_LEVELS),
  text: v.string(),
});
export type ConsoleLine = v.InferOutput<typeof ConsoleLineSchema>;
export type ConsoleLevel = ConsoleLine['level'];
