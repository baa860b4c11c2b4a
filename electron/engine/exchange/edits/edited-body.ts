import type { RawHeaders } from '../../../../shared/model/headers.ts';
import { lastChunk } from '../../http/header-rules.ts';
import type { Piece } from '../whole-message.ts';

/** Payload bytes as one chunk (RFC 9112, section 7.1). */
export function chunkOf(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, Buffer.from('\r\n')]);
}

/** A body that rules edited, as sent: in chunks if trailers follow it, which need them over HTTP/1.1. */
export function editedPieces(bytes: Buffer, trailers: RawHeaders): Piece[] {
  const isChunked = trailers.length > 0;
  const body = bytes.length === 0 ? [] : [{ wire: isChunked ? chunkOf(bytes) : bytes, payload: [bytes] }];
  return isChunked ? [...body, { wire: lastChunk(trailers), payload: [] }] : body;
}
