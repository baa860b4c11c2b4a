import * as v from 'valibot';

/** Who ended a connection: `us` is Roundtrip. */
export const ConnectionEnderSchema = v.picklist(['client', 'upstream', 'us']);
export type ConnectionEnder = v.InferOutput<typeof ConnectionEnderSchema>;

/**
 * Why a connection ended.
 * - `connection-close`: one side asked for it with Connection: close, or spoke HTTP/1.0 without keep-alive.
 * - `goaway`: HTTP/2's GOAWAY, with its code.
 * - `closed`: the other side closed it without notice; `reset`: with a TCP reset.
 * - `idle`: no exchange for as long as the limit allows; `limit`: more idle connections than the limit allows.
 * - `settings`: the route, its trust or keep-alive was switched, and the connection no longer fits.
 * - `cancelled`: the client disconnected during an exchange. `fault`: the peer violated the protocol, or went silent.
 * - `stopped`: Roundtrip ended.
 */
export const END_REASONS = [
  'connection-close',
  'goaway',
  'closed',
  'reset',
  'idle',
  'limit',
  'settings',
  'cancelled',
  'fault',
  'stopped',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** How a connection ended. */
export const ConnectionEndSchema = v.object({
  /** Milliseconds since the Unix epoch. */
  at: v.number(),
  by: ConnectionEnderSchema,
  why: v.picklist(END_REASONS),
  /** The code of a GOAWAY (RFC 9113, section 7); null for every other reason. */
  code: v.nullable(v.number()),
  /** Total milliseconds in which streams had data to send and a closed flow-control window; 0 on HTTP/1. */
  windowBlocked: v.number(),
  /**
   * When any stream did, in order, as pairs of milliseconds since the Unix epoch: 64 at most, of which the nearest are
   * joined. Absent: never.
   */
  closedWindows: v.optional(v.array(v.tuple([v.number(), v.number()]))),
});
export type ConnectionEnd = v.InferOutput<typeof ConnectionEndSchema>;

/** The end of the connection with this id. */
export const EndedConnectionSchema = v.object({ connection: v.number(), ...ConnectionEndSchema.entries });
export type EndedConnection = v.InferOutput<typeof EndedConnectionSchema>;

const WHO: Record<ConnectionEnder, string> = { client: 'the client', upstream: 'the server', us: 'Roundtrip' };

const WORDS: Record<EndReason, string> = {
  'connection-close': 'asked to close (Connection: close)',
  goaway: 'sent GOAWAY',
  closed: 'closed it',
  reset: 'reset it',
  idle: 'closed it after its idle time',
  limit: 'closed it, because more were idle than the limit allows',
  settings: 'closed it, because the settings changed',
  cancelled: 'disconnected during an exchange',
  fault: 'closed it after a protocol error or silence',
  stopped: 'stopped',
};

/** `the server sent GOAWAY (code 0)` */
export function endWords({ by, why, code }: Pick<ConnectionEnd, 'by' | 'why' | 'code'>): string {
  return `${WHO[by]} ${WORDS[why]}${code === null ? '' : ` (code ${code})`}`;
}
