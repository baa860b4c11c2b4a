import { firstHeader } from '../../../../shared/model/headers.ts';

/** A request or response as it was on the wire (HTTP/1.1). */
export interface RawMessage {
  /** The three words of the first line. */
  first: [string, string, string];
  headers: string[];
  trailers: string[];
  /** Without chunked framing. */
  body: Buffer;
}

const END = Buffer.from('\r\n\r\n');
/** Bytes. A longer text is not a head, and is read only up to here. */
const HEAD_LIMIT = 1024 * 1024;
const TRAILER_LIMIT = 64 * 1024;
/** The length of a chunk with its extensions. */
const CHUNK_LINE = 4096;
const LF = 0x0a;

/** Parses a saved message; null for an empty file, which stands for a message that never arrived. */
export function parseRawMessage(bytes: Buffer): RawMessage | null {
  if (bytes.length === 0) return null;
  const end = bytes.indexOf(END);
  const head = bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end, HEAD_LIMIT));
  const [line = '', ...lines] = head.split('\r\n');
  const [, one = '', two = '', three = ''] = /^(\S+) +(\S+) ?(.*)$/.exec(line) ?? [];
  const headers = fieldsOf(lines);
  const rest = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + END.length);
  const isChunked = /chunked/i.test(firstHeader(headers, 'transfer-encoding') ?? '');
  const body = isChunked ? unchunked(rest) : { body: rest, trailers: [] };
  return { first: [one, two, three], headers, ...body };
}

function fieldsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/**
 * Removes chunked framing (RFC 9112, section 7.1), in place: a hostile file has millions of chunks. Fiddler saves some
 * bodies without it although the field says so.
 */
function unchunked(bytes: Buffer): { body: Buffer; trailers: string[] } {
  let filled = 0;
  for (let at = 0; ; ) {
    const start = bytes.indexOf(LF, at) + 1;
    const line = start > 0 && start - at < CHUNK_LINE ? bytes.toString('latin1', at, start) : '';
    const digits = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r\n$/i.exec(line)?.[1];
    if (digits === undefined) return { body: at === 0 ? bytes : bytes.subarray(0, filled), trailers: [] };
    const size = Number.parseInt(digits, 16);
    if (size === 0) {
      const trailers = bytes.toString('latin1', start, start + TRAILER_LIMIT).split('\r\n');
      return { body: bytes.subarray(0, filled), trailers: fieldsOf(trailers) };
    }
    filled += bytes.copy(bytes, filled, start, start + size);
    at = start + size + 2;
  }
}
