import * as v from 'valibot';
import { HeldMessageSchema, HeldSummarySchema, ReleaseSchema } from '../../model/rule/held-message.ts';
import { RuleListSchema, RuleSchema } from '../../model/rule/rule.ts';
import { RuleStateSchema } from '../../model/rule/rule-state.ts';
import { ConsoleLineSchema } from '../../model/rule/script.ts';
import { TrialSchema } from '../../model/rule/trial.ts';
import { Count, Nothing, Session } from './request-parts.ts';

/** The largest file of rules that a window imports, UTF-16 units: well below the limit of a message. */
export const IMPORT_LIMIT = 128 * 1024;

/** The longest part of an edited body in one request, base64 characters: well below the limit of a message. */
export const BREAK_PART_LIMIT = 128 * 1024;

/** Requests about rules, the messages that breakpoints hold, and what scripts write. */
export const RULE_REQUESTS = {
  'rules.get': { input: Nothing, output: RuleStateSchema },
  /**
   * The rules in the text of another program's file, which are not in use yet, and a line for each item without an
   * equivalent. Refused with `rules.not-importable`.
   */
  'rules.import': {
    input: v.strictObject({
      name: v.pipe(v.string(), v.maxLength(255)),
      text: v.pipe(v.string(), v.maxLength(IMPORT_LIMIT)),
    }),
    output: v.object({ rules: v.array(RuleSchema), skipped: v.array(v.string()) }),
  },
  /**
   * Replaces all rules, and writes them to their file. Refused with `rules.refused`, with `rules.changed-on-disk` if
   * the file is no longer the one last reported, with the file's failure if it has faults, or with
   * `rules.write-failed`.
   */
  'rules.update': { input: v.strictObject({ rules: RuleListSchema }), output: RuleStateSchema },
  /**
   * Compiles the script of a rule without running it. `problem`: null if it compiles; `line` and `column` count from 1.
   */
  'rules.check-script': {
    input: v.strictObject({ code: v.pipe(v.string(), v.maxLength(IMPORT_LIMIT)) }),
    output: v.object({
      problem: v.nullable(
        v.object({ line: v.nullable(v.number()), column: v.nullable(v.number()), detail: v.string() }),
      ),
    }),
  },
  /**
   * Runs a rule over a session without sending anything: what it would match and change. Its scripts run too. `redact`:
   * removes secrets before the rule sees an exchange. Ends the window's trial before. `trial`: null if it was stopped.
   * Rejects with `search.bad-filter`.
   */
  'rules.try': {
    input: v.strictObject({ session: Session, rule: RuleSchema, redact: v.optional(v.boolean(), false) }),
    output: v.object({ trial: v.nullable(TrialSchema) }),
  },
  'rules.try-stop': { input: Nothing, output: Nothing },
  /**
   * Puts a rule before the user's, for at most an hour. It ends with this connection too, and replaces an agent's rule
   * of the same name. Refused as `rules.update`.
   */
  'agent-rules.apply': {
    input: v.strictObject({ rule: RuleSchema, seconds: v.pipe(v.number(), v.minValue(1), v.maxValue(3600)) }),
    output: v.object({ until: v.string() }),
  },
  /** Removes the rules of all agents, and returns their names. Refused as `rules.update`. */
  'agent-rules.clear': { input: Nothing, output: v.object({ removed: v.array(v.string()) }) },
  /** The latest console lines of rules' scripts, oldest first. */
  'console.read': { input: Nothing, output: v.object({ lines: v.array(ConsoleLineSchema) }) },
  'console.clear': { input: Nothing, output: Nothing },
  /**
   * The messages that breakpoints hold, oldest first. From now on they hold messages, as long as this window is there:
   * it can release them.
   */
  'breaks.list': { input: Nothing, output: v.object({ messages: v.array(HeldSummarySchema) }) },
  /** Refused with `rules.not-held` once the message was released, like the next two. */
  'breaks.get': { input: v.strictObject({ id: Count }), output: HeldMessageSchema },
  /**
   * Writes a part of the edited body, decoded, for a release with the body `written`. Parts come in order; `offset` 0
   * starts again. Refused with `rules.release-refused` over `HELD_BODY_LIMIT`.
   */
  'breaks.write': {
    input: v.strictObject({
      id: Count,
      offset: Count,
      data: v.pipe(v.string(), v.maxLength(BREAK_PART_LIMIT), v.base64()),
    }),
    output: Nothing,
  },
  /** Releases a message. Refused with `rules.release-refused`; the message is then still held. */
  'breaks.release': { input: v.strictObject({ id: Count, release: ReleaseSchema }), output: Nothing },
  /** Releases all messages unchanged. */
  'breaks.release-all': { input: Nothing, output: Nothing },
} as const;
