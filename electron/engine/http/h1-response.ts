import { allHeaders } from '../../../shared/model/headers.ts';
import { type HeadMemo, readFieldBlock } from './field-block.ts';
import { keepsAlive, oddResponseFraming, responseFraming } from './h1-framing.ts';
import { FramingError, findHeadEnd, parseStatusLine } from './h1-head.ts';
import { findOddHeadEnd, repairHead } from './h1-odd-head.ts';
import type { ResponseHead } from './message.ts';
import { view } from './view.ts';

/** One response's head from its bytes (`bytes` ends behind the empty line). Throws a FramingError. */
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
 * A head that RFC 9112 has no grammar for, but one reading. Its bytes pass as they came; neither side's connection carries
 * another message after it, because a client may know another end of this one. Throws a FramingError for two readings.
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
 * The head of a response at the start of `bytes`, of which it takes `size`; null while it is incomplete. `limit`: its most
 * bytes. Throws a FramingError for one that clients may read in two ways.
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
