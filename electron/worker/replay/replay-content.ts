import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { BodySide } from '../../../shared/model/body-side.ts';
import { type BodyPart, piecesOf } from './body-parts.ts';
import { servePieces } from './body-port.ts';
import type { ReplayBodySource } from './running-replays.ts';

/** A recorded request's body. `size`: bytes, all of which are kept. */
export interface RecordedBody {
  session: { bodyPort(exchange: number, side: BodySide): Promise<MessagePort> };
  exchange: number;
  size: number;
}

/** A body with files in it. `size`: bytes of all parts. */
export interface PartedBody {
  parts: readonly BodyPart[];
  size: number;
}

/** The body of a request that Roundtrip sends: its bytes, or where they are. */
export type ReplayContent = Uint8Array | RecordedBody | PartedBody;

const NO_BYTES = new Uint8Array();

/** Opens the body for the engine. */
export async function sourceOf(body: ReplayContent): Promise<ReplayBodySource> {
  if (body instanceof Uint8Array) return { kind: 'bytes', bytes: body };
  if ('parts' in body) {
    const { port1, port2 } = new MessageChannel();
    servePieces(port1, piecesOf(body.parts));
    return { kind: 'port', port: port2, size: body.size };
  }
  const { session, exchange, size } = body;
  if (size === 0) return { kind: 'bytes', bytes: NO_BYTES };
  return { kind: 'port', port: await session.bodyPort(exchange, 'request'), size };
}
