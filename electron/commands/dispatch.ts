import * as v from 'valibot';
import { CallSchema, type InspectorProblem, REFUSALS, type Reply } from '../../shared/contract/envelope.ts';
import { type InputOf, REQUESTS, type RequestName } from '../../shared/contract/requests.ts';
import { describe, RoundtripError } from '../failures/errors.ts';
import type { CommandContext } from './handlers/command-context.ts';
import { HANDLERS, type Handler } from './handlers/handlers.ts';
import { isLargerThan } from './message-size.ts';
import { NO_CALL, refusal } from './refusal.ts';

/** Limit for a window's message, in characters plus values. The largest are filter texts and lists of hosts. */
export const MESSAGE_LIMIT = 256 * 1024;

/** Describes the first problem in one line, without values: they may be secrets. */
function whatIsWrong(issues: readonly v.BaseIssue<unknown>[]): string {
  const issue = issues[0];
  const where = issue ? v.getDotPath(issue) : null;
  return `${where ?? 'input'}: expected ${issue?.expected ?? 'something else'}`;
}

function callNumber(message: unknown): number {
  const call = typeof message === 'object' && message !== null && 'call' in message ? message.call : NO_CALL;
  return typeof call === 'number' && Number.isSafeInteger(call) ? call : NO_CALL;
}

function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(REQUESTS, name);
}

/** A failure as a window gets it: from the catalogue in full, any other as its first line without the stack. */
export function problemOf(error: unknown): InspectorProblem {
  if (error instanceof RoundtripError) return { code: error.code, message: error.message };
  return { code: REFUSALS.internal, message: `Internal error: ${describe(error)}` };
}

async function handle<N extends RequestName>(name: N, input: unknown, context: CommandContext): Promise<unknown> {
  // Valibot accepts an array as an object without fields.
  if (Array.isArray(input)) throw new BadInput('input: expected Object');
  const parsed = v.safeParse<(typeof REQUESTS)[N]['input']>(REQUESTS[name].input, input);
  if (!parsed.success) throw new BadInput(whatIsWrong(parsed.issues));
  const handler: Handler<N> = HANDLERS[name];
  return await handler(parsed.output as InputOf<N>, context);
}

class BadInput extends Error {}

/**
 * Handles one message from a window, whatever it contains. Never rejects: for a message outside the contract and for a
 * failure, the reply holds a code and a sentence.
 */
export async function dispatch(message: unknown, context: CommandContext): Promise<Reply> {
  const call = callNumber(message);
  if (isLargerThan(message, MESSAGE_LIMIT)) return refusal(call, REFUSALS.tooLarge, 'The message is too large.');
  const parsed = v.safeParse(CallSchema, message);
  if (!parsed.success) return refusal(call, REFUSALS.notAMessage, 'This is not a call: { call, name, input }.');
  const { name, input } = parsed.output;
  if (!isRequestName(name)) return refusal(call, REFUSALS.unknownName, 'No request has this name.');
  try {
    return { call, ok: true, value: await handle(name, input, context) };
  } catch (error) {
    if (error instanceof BadInput) return refusal(call, REFUSALS.badInput, error.message);
    return { call, ok: false, problem: problemOf(error) };
  }
}
