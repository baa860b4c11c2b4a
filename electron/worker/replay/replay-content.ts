import type { MessagePort } from 'node:worker_threads';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { ReplayBodySource } from './running-replays.ts';

/** A recorded request's body. `size`: bytes, all of which are kept. */
export interface RecordedBody {
  session: { bodyPort(exchange: number, side: BodySide): Promise<MessagePort> };
  exchange: number;
  size: number;
}

/** The body of a request that Roundtrip sends: its bytes, or where they are recorded. */
export type ReplayContent = Uint8Array | RecordedBody;

const NO_BYTES = new Uint8Array();

/** Opens the body for the engine. */
export async function sourceOf(body: ReplayContent): Promise<ReplayBodySource> {
  if (body instanceof Uint8Array) return { kind: 'bytes', bytes: body };
  const { session, exchange, size } = body;
  if (size === 0) return { kind: 'bytes', bytes: NO_BYTES };
  return { kind: 'port', port: await session.bodyPort(exchange, 'request'), size };
}
