import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';

/** Types whose bytes are not text in which a secret could be found. */
const BINARY = /^(?:image|audio|video|font)\/|wasm$|zip$|pdf$|octet-stream$/;

/** Whether a redacted export may hold a body that is not text, by the type that its message names. */
export function isBinaryBody(exchange: Exchange, side: BodySide): boolean {
  return BINARY.test(mediaTypeOf(firstHeader(exchange[side]?.headers ?? [], 'content-type')));
}
