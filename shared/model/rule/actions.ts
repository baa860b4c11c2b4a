import * as v from 'valibot';
import type { ExchangePhase } from './exchange-phase.ts';
import { ScriptSchema } from './script.ts';
import { ThrottleSchema } from './throttle.ts';

/** The actions of rules, as data. Execution is in electron/engine/rules. */

export const FieldName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'is not a field name (RFC 9110, section 5.1)'),
);
/** A method is case-sensitive; custom methods are tokens too. */
const Method = v.pipe(v.string(), v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'is not a method (RFC 9110, section 9.1)'));
const Value = v.pipe(
  v.string(),
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has characters that a field value must not have'),
);
export const FieldList = v.array(v.strictTuple([FieldName, Value]));
/** What a recipient needs before the body must not follow it (RFC 9110, section 6.5.1). */
const NOT_A_TRAILER = /^(content-length|transfer-encoding|host|trailer)$/i;
const TrailerName = v.pipe(
  FieldName,
  v.check((name) => !NOT_A_TRAILER.test(name), 'must not be a trailer (RFC 9110, section 6.5.1)'),
);
const TrailerList = v.array(v.strictTuple([TrailerName, Value]));
/** Milliseconds. Longer than an hour is a mistake. */
const Milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000));
/** What a Host field can hold of a host; IPv6 without brackets. */
const HostName = v.pipe(
  v.string(),
  v.regex(/^[^\0-\x20\x7f-\uffff/?#@\\,[\]]+$/, 'is not a host name or an IP address in ASCII'),
);
export const FinalStatus = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(999));

/**
 * `find`: text, or with `regex` a JavaScript regular expression, whose groups `with` names as `$1`. All occurrences.
 */
const Replacement = v.strictObject({
  find: v.pipe(v.string(), v.minLength(1)),
  with: v.string(),
  regex: v.optional(v.boolean(), false),
  ignoreCase: v.optional(v.boolean(), false),
});
export type Replacement = v.InferOutput<typeof Replacement>;

/** One operation of a JSON patch (RFC 6902). */
const PatchOperation = v.variant('op', [
  v.strictObject({ op: v.literal('add'), path: v.string(), value: v.unknown() }),
  v.strictObject({ op: v.literal('replace'), path: v.string(), value: v.unknown() }),
  v.strictObject({ op: v.literal('test'), path: v.string(), value: v.unknown() }),
  v.strictObject({ op: v.literal('remove'), path: v.string() }),
  v.strictObject({ op: v.literal('move'), path: v.string(), from: v.string() }),
  v.strictObject({ op: v.literal('copy'), path: v.string(), from: v.string() }),
]);
export type PatchOperation = v.InferOutput<typeof PatchOperation>;

/**
 * Changes of any message. They apply in this order: remove, set, add; then the body, in the order of the fields here;
 * then the trailers.
 */
const MESSAGE_CHANGES = {
  /** Removes fields whose name matches; `*` stands for any characters. */
  removeHeaders: v.optional(v.array(v.pipe(v.string(), v.minLength(1)))),
  /** Replaces the fields of this name, or adds the field. */
  setHeaders: v.optional(FieldList),
  addHeaders: v.optional(FieldList),
  /** The same for trailers, the fields after the body: those of gRPC carry the call's status. */
  removeTrailers: v.optional(v.array(v.pipe(v.string(), v.minLength(1)))),
  setTrailers: v.optional(TrailerList),
  addTrailers: v.optional(TrailerList),
  /** The new body: text, or the content of a file. */
  body: v.optional(v.string()),
  bodyFile: v.optional(v.pipe(v.string(), v.minLength(1))),
  replaceBody: v.optional(v.array(Replacement)),
  /** A JSON merge patch (RFC 7396) for a JSON body. */
  mergeJson: v.optional(v.unknown()),
  patchJson: v.optional(v.array(PatchOperation)),
};

const ChangeRequest = v.strictObject({
  method: v.optional(Method),
  /** Replacements in the path and query, for example `{ "find": "/v1/", "with": "/v2/" }`. */
  replacePath: v.optional(v.array(Replacement)),
  setQuery: v.optional(v.array(v.strictTuple([v.string(), v.string()]))),
  removeQuery: v.optional(v.array(v.string())),
  ...MESSAGE_CHANGES,
});
export type ChangeRequest = v.InferOutput<typeof ChangeRequest>;

const ChangeResponse = v.strictObject({
  status: v.optional(FinalStatus),
  ...MESSAGE_CHANGES,
  /** Allows the requesting page's origin, and lets its preflights pass (Fetch standard, section 3.3). */
  cors: v.optional(v.boolean()),
});
export type ChangeResponse = v.InferOutput<typeof ChangeResponse>;
export type ChangeMessage = Pick<ChangeRequest, keyof typeof MESSAGE_CHANGES>;

const Answer = v.strictObject({
  status: v.optional(FinalStatus, 200),
  headers: v.optional(FieldList, []),
  /** Text; or `bodyBase64`; or a file, read at each use; or a folder, in which the request's path is looked up. */
  body: v.optional(v.string()),
  bodyBase64: v.optional(v.pipe(v.string(), v.base64())),
  file: v.optional(v.pipe(v.string(), v.minLength(1))),
  folder: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** The prefix of the request's path that the folder stands for. Removed before the path is looked up. */
  stripPrefix: v.optional(v.pipe(v.string(), v.startsWith('/'))),
  /** Allows the requesting page's origin, and answers preflights (Fetch standard, section 3.3). */
  cors: v.optional(v.boolean(), false),
});
export type Answer = v.InferOutput<typeof Answer>;

const MapTo = v.strictObject({
  scheme: v.optional(v.picklist(['http', 'https'])),
  host: v.optional(HostName),
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
  replacePath: v.optional(v.array(Replacement)),
  /** Sends the Host that the client sent. Default: the new one. */
  keepHost: v.optional(v.boolean(), false),
});
export type MapTo = v.InferOutput<typeof MapTo>;

/** `upTo`: a random delay between `ms` and this. `before`: which message waits. */
const Delay = v.strictObject({
  ms: Milliseconds,
  upTo: v.optional(Milliseconds),
  before: v.optional(v.picklist(['request', 'response']), 'request'),
});
export type Delay = v.InferOutput<typeof Delay>;

/**
 * - `refuse`: the client's connection closes at once, and upstream is not contacted. `reset`: the same with a TCP
 *   reset.
 * - `black-hole`: no response, ever.
 * - `reset-in-response`: a TCP reset, or RST_STREAM with `code`, after `bytes` of the response's body.
 * - `truncate`: the response ends cleanly after `bytes` of its body, although its framing promises more.
 * - `wrong-length`: the whole body arrives, but Content-Length says `bytes`. On HTTP/1.1 the connection then closes.
 * - `rst-stream` and `goaway`: HTTP/2 only, with `code`, before the response; HTTP/1.1 connections are reset.
 */
const FAILURES = [
  'refuse',
  'reset',
  'black-hole',
  'reset-in-response',
  'truncate',
  'wrong-length',
  'rst-stream',
  'goaway',
] as const;
const Fail = v.strictObject({
  how: v.picklist(FAILURES),
  /** The HTTP/2 error code (RFC 9113, section 7). Default: CANCEL, 8. */
  code: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff)), 8),
  bytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  /** The share of matching exchanges that fail. */
  percent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100)), 100),
  /** Makes the choice repeatable: the same exchanges fail in each run. */
  seed: v.optional(v.pipe(v.number(), v.integer())),
});
export type Fail = v.InferOutput<typeof Fail>;

/**
 * `on`: what is held until it is released in a window. `messages`: those of a WebSocket, an event stream or a gRPC
 * call, one by one.
 */
const Break = v.strictObject({
  on: v.optional(v.picklist(['request', 'response', 'both', 'messages']), 'request'),
  /** A message that is not released by then continues unchanged. Default: it waits. */
  autoContinueMs: v.optional(Milliseconds),
});
export type Break = v.InferOutput<typeof Break>;

export const MARK_COLOURS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'grey'] as const;
export const MarkSchema = v.strictObject({
  colour: v.optional(v.picklist(MARK_COLOURS)),
  note: v.optional(v.string()),
});
export type Mark = v.InferOutput<typeof MarkSchema>;

/** Each action is an object with one of these keys. */
export const ACTIONS = {
  answer: Answer,
  mapTo: MapTo,
  changeRequest: ChangeRequest,
  changeResponse: ChangeResponse,
  delay: Delay,
  throttle: ThrottleSchema,
  script: ScriptSchema,
  fail: Fail,
  break: Break,
  mark: MarkSchema,
} as const;
export type ActionName = keyof typeof ACTIONS;
export type Action = { [N in ActionName]: { [K in N]: v.InferOutput<(typeof ACTIONS)[N]> } }[ActionName];

/** The list ends at a rule that applied one of these. */
export type FinalAction = Extract<Action, { answer: unknown } | { mapTo: unknown } | { fail: unknown }>;

export function isFinalAction(action: Action): action is FinalAction {
  return 'answer' in action || 'mapTo' in action || 'fail' in action;
}

/** When an action applies: to the request, to the response, or when the exchange has ended. */
export function phasesOf(action: Action): readonly ExchangePhase[] {
  if ('mark' in action) return ['end'];
  if ('changeResponse' in action) return ['response'];
  if ('delay' in action) return [action.delay.before];
  if ('fail' in action) return [isInResponse(action.fail) ? 'response' : 'request'];
  if ('break' in action) return phasesOfBreak(action.break);
  if ('script' in action) return ['request', 'response'];
  return ['request'];
}

/** Breakpoints on messages are decided with the request, before the first message. */
function phasesOfBreak({ on }: Break): readonly ExchangePhase[] {
  if (on === 'both') return ['request', 'response'];
  return [on === 'messages' ? 'request' : on];
}

/** Whether the failure happens inside the response, which has to arrive first. */
function isInResponse({ how }: Fail): boolean {
  return how === 'reset-in-response' || how === 'truncate' || how === 'wrong-length';
}

export const ActionSchema = v.pipe(
  v.strictObject(
    Object.fromEntries(Object.entries(ACTIONS).map(([name, schema]) => [name, v.optional(schema)])) as {
      [N in ActionName]: v.OptionalSchema<(typeof ACTIONS)[N], undefined>;
    },
  ),
  v.check((action) => Object.keys(action).length === 1, `needs exactly one of ${Object.keys(ACTIONS).join(', ')}`),
  v.transform((action) => action as Action),
);
