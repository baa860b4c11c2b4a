import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { allHeaders, type RawHeaders } from '../../../shared/model/headers.ts';

/** A coding of a stream that may never end. */
export interface StreamCoding {
  /** `first`: the bytes that the stream begins with. */
  decoder: (first: Buffer) => Transform;
  /** Flushes after each write. */
  encoder: () => Transform;
}

/** Each on a thread of Node's pool: a large body must not stop the traffic of others. */
interface Coding extends StreamCoding {
  decode: (bytes: Buffer, limit: number) => Promise<Buffer>;
  encode: (bytes: Buffer) => Promise<Buffer>;
}

/**
 * Some servers send raw deflate without zlib's header (RFC 9110, section 8.4.1.2): `unzip` can't tell, the first byte
 * can.
 */
function hasZlibHeader([first = 0]: Buffer): boolean {
  return (first & 0x0f) === 8;
}

/** Brotli's default, 11, takes milliseconds for each message. */
const STREAM_BROTLI = { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 };

const CODINGS: Record<string, Coding> = {
  gzip: {
    decode: (bytes, limit) => promisify(zlib.gunzip)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.gzip)(bytes),
    decoder: () => zlib.createGunzip(),
    encoder: () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  },
  deflate: {
    decode: (bytes, limit) =>
      promisify(hasZlibHeader(bytes) ? zlib.inflate : zlib.inflateRaw)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.deflate)(bytes),
    decoder: (first) => (hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw()),
    encoder: () => zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  },
  br: {
    decode: (bytes, limit) => promisify(zlib.brotliDecompress)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.brotliCompress)(bytes),
    decoder: () => zlib.createBrotliDecompress(),
    encoder: () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH, params: STREAM_BROTLI }),
  },
  zstd: {
    decode: (bytes, limit) => promisify(zlib.zstdDecompress)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.zstdCompress)(bytes),
    decoder: () => zlib.createZstdDecompress(),
    encoder: () => zlib.createZstdCompress({ flush: zlib.constants.ZSTD_e_flush }),
  },
};
CODINGS['x-gzip'] = CODINGS.gzip as Coding;

function codingNames(headers: RawHeaders): string[] {
  return allHeaders(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Whether a body with the one fields has the same bytes with the others. */
export function haveSameCodings(one: RawHeaders, other: RawHeaders): boolean {
  return codingNames(one).join() === codingNames(other).join();
}

/** The codings of a body in the order in which they were applied; null if one of them is unknown. */
function codingsOf(headers: RawHeaders): Coding[] | null {
  const codings = codingNames(headers).map((name) => (Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined));
  return codings.every((coding) => coding !== undefined) ? codings : null;
}

/** The coding of a stream; null: there is none. Several at once are as rare as unknown ones, and pass unchanged too. */
export function streamCodingOf(headers: RawHeaders): StreamCoding | null | 'unknown' {
  const codings = codingsOf(headers);
  return codings === null || codings.length > 1 ? 'unknown' : (codings[0] ?? null);
}

/** Undoes the content codings of a body. Rejects with an Error whose message says why it cannot be decoded. */
export async function decodeBody(body: Buffer, headers: RawHeaders, limit: number): Promise<Buffer> {
  let bytes = body;
  if (body.length > 0) for (const { decode } of knownCodings(headers).toReversed()) bytes = await decode(bytes, limit);
  return bytes;
}

/** Applies the content codings that the fields name. Rejects if one of them is unknown. */
export async function encodeBody(body: Buffer, headers: RawHeaders): Promise<Buffer> {
  let bytes = body;
  for (const { encode } of knownCodings(headers)) bytes = await encode(bytes);
  return bytes;
}

/** Whether every coding that the fields name can be applied. */
export function hasKnownCodings(headers: RawHeaders): boolean {
  return codingsOf(headers) !== null;
}

function knownCodings(headers: RawHeaders): Coding[] {
  const codings = codingsOf(headers);
  if (codings === null) throw new Error('its content coding is unknown');
  return codings;
}
