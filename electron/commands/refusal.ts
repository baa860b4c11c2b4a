import type { Reply } from '../../shared/contract/envelope.ts';

/** Call number of a refusal when the message had none. */
export const NO_CALL = -1;

export function refusal(call: number, code: string, message: string): Reply {
  return { call, ok: false, problem: { code, message } };
}
