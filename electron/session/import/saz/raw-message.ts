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

/** Parses a saved message; null for an empty file, which stands for a message that never arrived. */
export function parseRawMessage(bytes: Buffer): RawMessage | null {
  if (bytes.length === 0) return null;
  const end = bytes.indexOf(END);
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
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
 * Removes chunked framing (RFC 9112, section 7.1). Fiddler saves some bodies without it although the field is present.
 */
function unchunked(bytes: Buffer): { body: Buffer; trailers: string[] } {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const [, digits] = /^([0-9a-f]{1,8})\s*(?:;.*)?$/i.exec(bytes.toString('latin1', at, Math.max(lineEnd, at))) ?? [];
    if (digits === undefined) return { body: at === 0 ? bytes : Buffer.concat(parts), trailers: [] };
    const size = Number.parseInt(digits, 16);
    const start = lineEnd + 2;
    if (size === 0)
      return { body: Buffer.concat(parts), trailers: fieldsOf(bytes.toString('latin1', start).split('\r\n')) };
    parts.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
