import * as zlib from 'node:zlib';

/** Bytes. Longer bodies would block the thread. */
const SHORT = 64 * 1024;
/** Bytes that a short body may expand to: some 5 ms of decoding. */
const EXPANDED = 1024 * 1024;

/** The result of reading a body up to a limit: all of it, or its first pieces and the rest. */
export type Beginning = { whole: Uint8Array } | { pieces: Iterable<Uint8Array> };

/** Reads a body if it is short. Closes the iterator only at its end. */
export function beginningOf(body: Iterable<Uint8Array>): Beginning {
  const read: Uint8Array[] = [];
  let size = 0;
  const rest = body[Symbol.iterator]();
  for (let next = rest.next(); !next.done; next = rest.next()) {
    read.push(next.value);
    size += next.value.length;
    if (size > SHORT) return { pieces: joined(read, rest) };
  }
  const [first] = read;
  return { whole: read.length === 1 && first !== undefined ? first : Buffer.concat(read) };
}

function* joined(read: readonly Uint8Array[], rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  try {
    yield* read;
    for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
  } finally {
    rest.return?.();
  }
}

/**
 * Decodes a short body in one call. Null: it is damaged, or longer than `limit`; a stream then yields what is
 * available. A stream takes several times as long for a body of some kilobytes: most of that is waiting for another
 * thread.
 */
export function decodedAtOnce(bytes: Uint8Array, codings: readonly string[], limit: number): Uint8Array | null {
  const options = { maxOutputLength: Math.max(1, Math.min(limit, EXPANDED)) };
  let current = bytes;
  try {
    for (const coding of codings) {
      if (current.length === 0) return current;
      current = undone(coding, current, options);
    }
  } catch {
    return null;
  }
  return current;
}

function undone(coding: string, bytes: Uint8Array, options: { maxOutputLength: number }): Buffer {
  if (coding === 'br') return zlib.brotliDecompressSync(bytes, options);
  if (coding === 'zstd') return zlib.zstdDecompressSync(bytes, options);
  if (coding === 'deflate')
    return isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
  return zlib.gunzipSync(bytes, options);
}

/**
 * `deflate` is the zlib format (RFC 9110, section 8.4.1.2), but some servers send raw deflate. RFC 1950, section 2.2.
 */
export function isZlib([method = 0, flags]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (flags === undefined || ((method << 8) | flags) % 31 === 0);
}
