import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { allHeaders, type RawHeaders } from '../../../shared/model/headers.ts';

/** Each on a thread of Node's pool: a large body must not stop the traffic of others. */
interface Coding {
  decode: (bytes: Buffer, limit: number) => Promise<Buffer>;
  encode: (bytes: Buffer) => Promise<Buffer>;
}

const CODINGS: Record<string, Coding> = {
  gzip: {
    decode: (bytes, limit) => promisify(zlib.gunzip)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.gzip)(bytes),
  },
  deflate: {
    // Some servers send raw deflate without zlib's header (RFC 9110, section 8.4.1.2): `unzip` can't tell, the first byte can.
    decode: (bytes, limit) =>
      promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.deflate)(bytes),
  },
  br: {
    decode: (bytes, limit) => promisify(zlib.brotliDecompress)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.brotliCompress)(bytes),
  },
  zstd: {
    decode: (bytes, limit) => promisify(zlib.zstdDecompress)(bytes, { maxOutputLength: limit }),
    encode: (bytes) => promisify(zlib.zstdCompress)(bytes),
  },
};
CODINGS['x-gzip'] = CODINGS.gzip as Coding;

/** The codings of a body in the order in which they were applied; null if one of them is unknown. */
function codingsOf(headers: RawHeaders): Coding[] | null {
  const names = allHeaders(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const codings = names.map((name) => (Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined));
  return codings.every((coding) => coding !== undefined) ? codings : null;
}

/** Undoes the content codings of a body. Rejects with an Error whose message says why it cannot be decoded. */
export async function decodeBody(body: Buffer, headers: RawHeaders, limit: number): Promise<Buffer> {
  let bytes = body;
  if (body.length > 0) for (const { decode } of knownCodings(headers).toReversed()) bytes = await decode(bytes, limit);
  return bytes;
}

/** Applies the content codings that the fields name. Rejects where one of them is unknown. */
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
