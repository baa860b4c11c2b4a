import { allHeaders } from '../../../shared/model/headers.ts';
import { type HeadMemo, readFieldBlock } from './field-block.ts';
import { keepsAlive, oddResponseFraming, responseFraming } from './h1-framing.ts';
import { FramingError, findHeadEnd, parseStatusLine } from './h1-head.ts';
import { findOddHeadEnd, repairHead } from './h1-odd-head.ts';
import type { ResponseHead } from './message.ts';
import { view } from './view.ts';

/** Parses one response's head (`bytes` ends after the empty line). Throws a FramingError. */
export function readResponseHead(bytes: Buffer, request: { method: string }, memo: HeadMemo): ResponseHead {
  const text = bytes.toString('latin1');
  const line = parseStatusLine(text);
  const { headers, connection: fields } = readFieldBlock(text, memo);
  return {
    status: line.status,
    statusText: line.statusText,
    version: line.version,
    headers,
    framing: responseFraming(fields, line.status, line.version, request),
    wire: bytes,
    size: bytes.length,
    keepAlive: keepsAlive(fields, line.version),
  };
}

/**
 * Parses a head that violates RFC 9112's grammar but has only one reading. Its bytes are forwarded unchanged. Neither
 * connection carries another message after it, because a client may see the end of this message elsewhere. Throws a
 * FramingError if two readings are possible.
 */
function readOddResponseHead(bytes: Buffer, request: { method: string }): ResponseHead {
  const { text, faults } = repairHead(bytes.toString('latin1'));
  const line = parseStatusLine(text);
  const { headers, connection } = readFieldBlock(text, {});
  const { framing, fault } = oddResponseFraming(connection, allHeaders(headers, 'content-length'), line, request);
  if (fault !== null) faults.push(fault);
  return {
    status: line.status,
    statusText: line.statusText,
    version: line.version,
    headers,
    framing,
    wire: bytes,
    size: bytes.length,
    keepAlive: false,
    fault: faults.join(', '),
  };
}

/**
 * Parses the response head at the start of `bytes`; `size` is the number of bytes consumed. Returns null while it is
 * incomplete. `limit`: its maximum size in bytes. Throws a FramingError for a head that clients may read differently.
 */
export function takeResponseHead(
  bytes: Buffer,
  request: { method: string },
  memo: HeadMemo,
  limit: number,
): ResponseHead | null {
  try {
    const end = findHeadEnd(bytes, 0, limit);
    return end < 0 ? null : readResponseHead(view(bytes, 0, end), request, memo);
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    const end = findOddHeadEnd(bytes, limit);
    return end < 0 ? null : readOddResponseHead(view(bytes, 0, end), request);
  }
}
