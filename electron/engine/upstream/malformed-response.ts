import type { Failure } from '../../../shared/model/failure.ts';
import { failure, systemCode } from '../../failures/errors.ts';
import type { FramingError } from '../http/h1-head.ts';
import type { ResponseHead } from '../http/message.ts';
import { describeBytes } from '../listen/sniff.ts';

const PROTOCOL = 'HTTP/';

/** How much of a response has arrived. */
export interface Progress {
  /** `host:port` of the origin. */
  address: string;
  /** Null until the final head has arrived; 1xx heads may arrive before it. */
  head: ResponseHead | null;
  /** Bytes received that do not belong to a message yet. */
  rest: Buffer;
}

/** Whether a response may begin with these bytes, which may be few (RFC 9112, section 4). */
export function mayBeHttp(bytes: Buffer): boolean {
  return PROTOCOL.startsWith(bytes.toString('latin1', 0, PROTOCOL.length));
}

/**
 * Records a fault of the response. Neither side's connection carries another message, because a client may parse this
 * one differently.
 */
export function markFaulty(head: ResponseHead, fault: string): void {
  head.keepAlive = false;
  head.fault = head.fault === undefined ? fault : `${head.fault}, ${fault}`;
}

/** A response that is ambiguous or cannot be parsed. `limit`: the most bytes that its head may have. */
export function malformed({ address, head, rest }: Progress, error: FramingError, limit: number): Failure {
  if (error.tooLarge) return failure('upstream.head-too-large', { address, limit });
  const foreign = head === null && !mayBeHttp(rest);
  const detail = foreign ? `HTTP/0.9 or another protocol (first bytes: ${describeBytes(rest)})` : error.message;
  return failure('upstream.bad-response', { address, detail });
}

/** The connection ended in the middle of a response. `error`: the socket's error, if there was one. */
export function cutShort({ address, head, rest }: Progress, error: Error | null): Failure {
  const code = systemCode(error);
  if (head !== null) return failure('upstream.body-cut-short', { address }, code);
  if (rest.length > 0) return failure('upstream.head-cut-short', { address }, code);
  return error ? failure('upstream.reset', { address }, code) : failure('upstream.empty-response', { address });
}
