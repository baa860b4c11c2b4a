import * as v from 'valibot';
import { CallSchema, type InspectorProblem, REFUSALS, type Reply } from '../../shared/contract/envelope.ts';
import { type InputOf, REQUESTS, type RequestName } from '../../shared/contract/requests.ts';
import { describe, RoundtripError } from '../failures/errors.ts';
import type { CommandContext } from './handlers/command-context.ts';
import { HANDLERS, type Handler } from './handlers/handlers.ts';
import { isLargerThan } from './message-size.ts';

/** The largest message that a window sends is a filter text or a list of hosts; characters and values together. */
export const MESSAGE_LIMIT = 256 * 1024;
/** The call that a refusal answers where the message had none. */
export const NO_CALL = -1;

export function refusal(call: number, code: string, message: string): Reply {
  return { call, ok: false, problem: { code, message } };
}

/** What went wrong where, in one line and without values: those may be secrets. */
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

/** What a window is told of a failure: our own in full, any other without its insides. */
export function problemOf(error: unknown): InspectorProblem {
  if (error instanceof RoundtripError) return { code: error.code, message: error.message };
  return { code: REFUSALS.internal, message: `Internal error: ${describe(error)}` };
}

async function handle<N extends RequestName>(name: N, input: unknown, context: CommandContext): Promise<unknown> {
  // Valibot takes a list for an object without fields.
  if (Array.isArray(input)) throw new BadInput('input: expected Object');
  const parsed = v.safeParse<(typeof REQUESTS)[N]['input']>(REQUESTS[name].input, input);
  if (!parsed.success) throw new BadInput(whatIsWrong(parsed.issues));
  const handler: Handler<N> = HANDLERS[name];
  return await handler(parsed.output as InputOf<N>, context);
}

class BadInput extends Error {}

/**
 * Answers one message of a window, whatever it is. Never rejects: what is not of the contract, and what fails, is
 * answered with a code and a sentence.
 */
export async function dispatch(message: unknown, context: CommandContext): Promise<Reply> {
  const call = callNumber(message);
  if (isLargerThan(message, MESSAGE_LIMIT)) return refusal(call, REFUSALS.tooLarge, 'The message is too large.');
  const parsed = v.safeParse(CallSchema, message);
  if (!parsed.success) return refusal(call, REFUSALS.notAMessage, 'This is no call: { call, name, input }.');
  const { name, input } = parsed.output;
  if (!isRequestName(name)) return refusal(call, REFUSALS.unknownName, 'There is no request of this name.');
  try {
    return { call, ok: true, value: await handle(name, input, context) };
  } catch (error) {
    if (error instanceof BadInput) return refusal(call, REFUSALS.badInput, error.message);
    return { call, ok: false, problem: problemOf(error) };
  }
}
