import * as v from 'valibot';

/**
 * A refusal or failure of a request. The codes of the contract itself begin with `contract.`; others are a failure's.
 */
export const InspectorProblemSchema = v.object({ code: v.string(), message: v.string() });
export type InspectorProblem = v.InferOutput<typeof InspectorProblemSchema>;

/** The error of a window's failed request: a stable code and a sentence for the user. */
export class InspectorError extends Error {
  override readonly name = 'InspectorError';
  readonly code: string;

  constructor(problem: InspectorProblem) {
    super(problem.message);
    this.code = problem.code;
  }
}

/** A message from a window to its host. */
export const CallSchema = v.strictObject({
  call: v.pipe(v.number(), v.integer(), v.minValue(0)),
  name: v.string(),
  input: v.unknown(),
});
export type Call = v.InferOutput<typeof CallSchema>;

/** The response to a call. */
export const ReplySchema = v.variant('ok', [
  v.object({ call: v.number(), ok: v.literal(true), value: v.unknown() }),
  v.object({ call: v.number(), ok: v.literal(false), problem: InspectorProblemSchema }),
]);
export type Reply = v.InferOutput<typeof ReplySchema>;

/** An event that a host sends. */
export const NoticeSchema = v.object({ event: v.string(), payload: v.unknown() });
export type Notice = v.InferOutput<typeof NoticeSchema>;

/** Codes with which a host rejects a message that violates the contract. */
export const REFUSALS = {
  notAMessage: 'contract.not-a-message',
  unknownName: 'contract.unknown-name',
  badInput: 'contract.bad-input',
  foreignSender: 'contract.foreign-sender',
  tooLarge: 'contract.too-large',
  internal: 'contract.internal',
} as const;
