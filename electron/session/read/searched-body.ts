import { isUtf8 } from 'node:buffer';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { bodyCodings } from '../format/content-codings.ts';
import type { BodySource } from './batched-bodies.ts';
import { decodeBody, decodedPieces, type Outcome } from './decode-body.ts';

/** Bytes. Longer bodies are not searched. */
export const SEARCHED_LIMIT = 64 * 1024 * 1024;
/** Bytes. No form of a searched secret is longer. */
const OVERLAP = 16 * 1024;
const CLOSE = 8;
/** Bytes of a close frame's code (RFC 6455, section 5.5.1), which is not secret; the reason may be. */
const CODE = 2;

/** Types whose bytes hold no text: a pattern could only match by chance, and would damage them. */
const MEDIA = /^(?:image\/(?!svg)|audio\/|video\/|font\/)|[/+](?:wasm|zip)$/;

/** A body to search for secrets: UTF-8, or else one character a byte, in which each byte that stays keeps its value. */
export interface SearchedBody {
  mediaType: string;
  text: string;
  encoding: 'utf8' | 'latin1';
}

export function mediaTypeOfBody(exchange: Exchange, side: BodySide): string {
  return mediaTypeOf(firstHeader(exchange[side]?.headers ?? [], 'content-type'));
}

/** Whether a redacted export may hold bytes of this type although they can't be searched. */
export function isMedia(mediaType: string): boolean {
  return MEDIA.test(mediaType);
}

/** A decoded body as text to search; null: pictures and similar. */
export function searchable(bytes: Buffer, mediaType: string): SearchedBody | null {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  if (encoding === 'latin1' && isMedia(mediaType)) return null;
  return { mediaType, text: bytes.toString(encoding), encoding };
}

/** A body's bytes without secrets. */
export function cleaned({ mediaType, text, encoding }: SearchedBody, redactor: Redactor, side: BodySide): Buffer {
  return Buffer.from(redactor.body(text, mediaType, side), encoding);
}

/** A message's payload without secrets. It has no type; its text shows whether it is JSON. */
export function cleanedPayload(bytes: Buffer, { opcode, side }: MessageMark, redactor: Redactor): Buffer {
  const kept = opcode === CLOSE ? CODE : 0;
  const searched = searchable(bytes.subarray(kept), '');
  return searched === null ? bytes : Buffer.concat([bytes.subarray(0, kept), cleaned(searched, redactor, side)]);
}

/** Whether a body was searched to its end, and no known secret was found. For pictures and similar, of any size. */
export async function isWithoutSecrets(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
  redactor: Redactor,
): Promise<boolean> {
  const message = exchange[side];
  if (message === null) return true;
  const outcome: Outcome = { complete: true, problem: null };
  let tail = '';
  for await (const piece of decodedPieces(source.bodyPieces(exchange.id, side), bodyCodings(message), outcome)) {
    const text = tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    if (redactor.knows(text)) return false;
    tail = text.slice(-OVERLAP);
  }
  return outcome.complete;
}

/** Decoded as far as possible. Null: there is no body, it is too long, or it holds no text. */
export async function searchedBody(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
  limit = SEARCHED_LIMIT,
): Promise<SearchedBody | null> {
  const message = exchange[side];
  if (message === null || exchange.kind !== 'http' || message.body.size === 0) return null;
  const decoded = await decodeBody(source.bodyPieces(exchange.id, side), bodyCodings(message), limit);
  if (!decoded.complete && decoded.problem === null) return null;
  return searchable(Buffer.concat(decoded.pieces), mediaTypeOfBody(exchange, side));
}
