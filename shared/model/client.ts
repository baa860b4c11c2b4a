import * as v from 'valibot';
import { FailureSchema } from './failure.ts';

/** What can be started through the proxy; nothing else on the machine is changed for it. */
export const LauncherSchema = v.object({
  id: v.string(),
  kind: v.picklist(['browser', 'terminal']),
  name: v.string(),
  /** The program. */
  path: v.string(),
});
export type Launcher = v.InferOutput<typeof LauncherSchema>;

/**
 * A command line as its user typed it. One line, and nothing in it that a terminal would not show: its user reads it
 * there before it runs.
 */
const CommandLineSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(4096),
  v.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u),
);

/** A command that was run from the window: as it is, or as an Electron app. */
export const RecentCommandSchema = v.strictObject({
  command: CommandLineSchema,
  as: v.picklist(['command', 'electron']),
});
export type RecentCommand = v.InferOutput<typeof RecentCommandSchema>;

const STATES = ['starting', 'ready', 'captured', 'trusted', 'failed', 'ended'] as const;

/** A program that was started here, or is checked manually, and what is known about it. */
export const ClientSchema = v.object({
  id: v.number(),
  kind: v.picklist(['browser', 'terminal', 'command', 'by-hand']),
  name: v.string(),
  /**
   * `starting`: nothing has arrived from it. `ready`: a terminal or command has correct variables, and has sent nothing
   * itself. `captured`: its requests arrive. `trusted`: over TLS too. `failed`: see `failure`. `ended`: it has exited.
   */
  state: v.picklist(STATES),
  /** If it has ended: its last state. */
  was: v.nullable(v.picklist(STATES)),
  failure: v.nullable(FailureSchema),
  /** What does not make it fail: loopback addresses that bypass us, a host whose certificate it refused, no traffic. */
  warning: v.nullable(FailureSchema),
  /** If a command has ended; null if it has not, or if it is unknown. */
  exitCode: v.nullable(v.number()),
  /** What to open in it to check it again. */
  checkUrl: v.string(),
});
export type Client = v.InferOutput<typeof ClientSchema>;

/** Setup instructions for what Roundtrip does not start itself, to be copied. */
export const RecipeSchema = v.object({ id: v.string(), title: v.string(), about: v.string(), text: v.string() });
export type Recipe = v.InferOutput<typeof RecipeSchema>;
