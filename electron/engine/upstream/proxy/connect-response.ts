import type { Socket } from 'node:net';
import { firstHeader } from '../../../../shared/model/headers.ts';
import type { ProxyResponse } from '../../../../shared/model/proxy/upstream-route.ts';
import { describe, failure, systemCode } from '../../../failures/errors.ts';
import { type BodyReader, bodyReader } from '../../http/h1-body.ts';
import { findHeadEnd } from '../../http/h1-head.ts';
import { readResponseHead } from '../../http/h1-response.ts';
import type { ResponseHead } from '../../http/message.ts';
import { ConnectionError } from '../connect/connection-error.ts';

// A proxy's response to CONNECT is a status line and a few fields; anything larger is invalid.
const HEAD_LIMIT = 64 * 1024;
/** How many bytes of the page that explains a refusal are kept. */
export const BODY_KEPT = 16 * 1024;

/** A proxy's response to one CONNECT. */
export interface ConnectResponse {
  head: Pick<ResponseHead, 'status' | 'statusText' | 'headers'>;
  body: Buffer;
  /** Whether another CONNECT can be sent over the same connection. */
  reusable: boolean;
}

/** For the record of the exchange. */
export function recordedResponse({ head, body }: ConnectResponse): ProxyResponse {
  const { status, statusText, headers } = head;
  return { status, statusText, contentType: firstHeader(headers, 'content-type') ?? '', body: body.toString('utf8') };
}

/** Parses a response from a connection's bytes, piece by piece. */
class ConnectResponseReader {
  #rest: Buffer = Buffer.alloc(0);
  #head: ResponseHead | null = null;
  #reader: BodyReader | null = null;
  #kept: Buffer[] = [];
  #size = 0;

  get begun(): boolean {
    return this.#head !== null;
  }

  /** The response once it is complete, and the bytes after it. Throws an Error for invalid input. */
  read(chunk: Buffer): { response: ConnectResponse; ahead: Buffer } | null {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (!this.#head && !this.#readHead()) return null;
    if (!this.#reader) return this.#whole();
    this.#rest = this.#rest.subarray(this.#reader.consume(this.#rest, 0));
    for (const piece of this.#reader.payload) this.#keep(piece);
    return this.#reader.done || this.#size >= BODY_KEPT ? this.#whole() : null;
  }

  /** The connection has ended: the response is complete with what has arrived. */
  ended(): ConnectResponse | null {
    return this.#head && { head: this.#head, body: Buffer.concat(this.#kept), reusable: false };
  }

  #readHead(): boolean {
    const end = findHeadEnd(this.#rest, 0, HEAD_LIMIT);
    if (end < 0) return false;
    this.#head = readResponseHead(this.#rest.subarray(0, end), { method: 'CONNECT' }, {});
    this.#rest = this.#rest.subarray(end);
    // A tunnel begins after the head, even if its fields declare a body (RFC 9110, section 9.3.6).
    const { status, framing } = this.#head;
    this.#reader = status >= 200 && status < 300 ? null : bodyReader(framing, 'response');
    return true;
  }

  #keep(piece: Buffer): void {
    if (this.#size < BODY_KEPT) this.#kept.push(piece.subarray(0, BODY_KEPT - this.#size));
    this.#size += piece.length;
  }

  #whole(): { response: ConnectResponse; ahead: Buffer } | null {
    if (!this.#head) return null;
    const ended = this.#reader === null || this.#reader.done;
    const response = { head: this.#head, body: Buffer.concat(this.#kept), reusable: ended && this.#head.keepAlive };
    return { response, ahead: this.#rest };
  }
}

function lost(address: string, error: Error): ConnectionError {
  const about = failure('proxy.connect-failed', { address, detail: describe(error) }, systemCode(error));
  return new ConnectionError(about, true);
}

function silent(address: string, timeLimit: number): ConnectionError {
  const about = failure('proxy.timeout', { address, seconds: timeLimit / 1000 }, 'ETIMEDOUT');
  return new ConnectionError(about, false);
}

/**
 * Sends `request` to a proxy, reads its response, and pauses the socket after it. Rejects with a ConnectionError, which
 * is retryable if the proxy closed before it responded. `address`: the proxy's; `limit`: milliseconds.
 */
export function askProxy(socket: Socket, request: string, address: string, limit: number): Promise<ConnectResponse> {
  const reader = new ConnectResponseReader();
  socket.write(request);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('error', onError).off('close', onEnd);
    };
    const fail = (error: ConnectionError): void => {
      settle();
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const onEnd = (): void => {
      const response = reader.ended();
      if (response) {
        settle();
        resolve(response);
      } else fail(new ConnectionError(failure('proxy.empty-answer', { address }), true));
    };
    const onError = (error: Error): void => fail(lost(address, error));
    const onData = (chunk: Buffer): void => {
      try {
        const found = reader.read(chunk);
        if (!found) return;
        socket.pause();
        settle();
        if (found.ahead.length > 0) socket.unshift(found.ahead);
        resolve(found.response);
      } catch (error) {
        fail(new ConnectionError(failure('proxy.bad-answer', { address, detail: describe(error) }), false));
      }
    };
    const timer = setTimeout(() => fail(silent(address, limit)), limit);
    socket.on('data', onData).on('end', onEnd).on('error', onError).on('close', onEnd);
    socket.resume();
  });
}
