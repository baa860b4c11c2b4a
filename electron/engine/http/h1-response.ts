import { type HeadMemo, readFieldBlock } from './field-block.ts';
import { keepsAlive, responseFraming } from './h1-framing.ts';
import { parseStatusLine } from './h1-head.ts';
import type { ResponseHead } from './message.ts';

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
