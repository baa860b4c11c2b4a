import { isUtf8 } from 'node:buffer';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { bodyCodings } from '../format/content-codings.ts';
import type { BodySource } from './batched-bodies.ts';
import { decodeBody } from './decode-body.ts';

/** Bytes. Longer bodies are not searched. */
export const SEARCHED_LIMIT = 4 * 1024 * 1024;

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

/** A decoded body as text to search; null: pictures and the like. */
export function searchable(bytes: Buffer, mediaType: string): SearchedBody | null {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  if (encoding === 'latin1' && isMedia(mediaType)) return null;
  return { mediaType, text: bytes.toString(encoding), encoding };
}

/** A body's bytes without secrets. */
export function cleaned({ mediaType, text, encoding }: SearchedBody, redactor: Redactor, side: BodySide): Buffer {
  return Buffer.from(redactor.body(text, mediaType, side), encoding);
}

/** Decoded as far as possible. Null: there is no body, it is too long, or it holds no text. */
export async function searchedBody(
  source: BodySource,
  exchange: Exchange,
  side: BodySide,
): Promise<SearchedBody | null> {
  const message = exchange[side];
  if (message === null || exchange.kind !== 'http' || message.body.size === 0) return null;
  const decoded = await decodeBody(source.bodyPieces(exchange.id, side), bodyCodings(message), SEARCHED_LIMIT);
  if (!decoded.complete && decoded.problem === null) return null;
  return searchable(Buffer.concat(decoded.pieces), mediaTypeOfBody(exchange, side));
}
