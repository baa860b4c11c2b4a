import { headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import { lastChunk } from '../../http/header-rules.ts';
import type { Piece } from '../whole-message.ts';

/** Payload bytes as one chunk (RFC 9112, section 7.1). */
export function chunkOf(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, Buffer.from('\r\n')]);
}

/** A body that rules edited, as it goes out: in chunks if trailers follow it, which need them over HTTP/1.1. */
export function editedPieces(bytes: Buffer, trailers: RawHeaders): Piece[] {
  const isChunked = trailers.length > 0;
  const body = bytes.length === 0 ? [] : [{ wire: isChunked ? chunkOf(bytes) : bytes, payload: [bytes] }];
  return isChunked ? [...body, { wire: lastChunk(trailers), payload: [] }] : body;
}

/** The trailers that stay true of an edited body: digests of the old one do not (RFC 9530, section 2). */
export function trailersAfterEdit(trailers: RawHeaders): RawHeaders {
  const isDigest = (name: string) => /^(content-md5|digest|content-digest|repr-digest)$/i.test(name);
  return headerPairs(trailers)
    .filter(([name]) => !isDigest(name))
    .flat();
}
