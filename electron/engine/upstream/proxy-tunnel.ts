import type { Socket } from 'node:net';
import { allHeaders } from '../../../shared/model/headers.ts';
import { describe, failure, systemCode } from '../errors.ts';
import { findHeadEnd } from '../http/h1-head.ts';
import { readResponseHead } from '../http/h1-response.ts';
import type { ResponseHead } from '../http/message.ts';
import { ConnectionError } from './connection-failure.ts';
import { addressOf, type Origin, type UpstreamProxy } from './origin.ts';

// A proxy's answer to CONNECT is a status line and a few fields; more is no answer.
const ANSWER_LIMIT = 64 * 1024;

function refusal(head: ResponseHead, proxy: UpstreamProxy, target: string): ConnectionError {
  const address = addressOf(proxy);
  // tinyproxy answers a wrong password with 401, the origin's own code, which no origin can have sent through it yet.
  const denied = head.status === 407 || (head.status === 401 && proxy.authorization !== null);
  if (!denied) {
    return new ConnectionError(failure('proxy.connect-rejected', { address, status: head.status, target }), false);
  }
  // Never tried again: some directories lock an account after a few wrong passwords.
  if (proxy.authorization) return new ConnectionError(failure('proxy.wrong-password', { address }), false);
  const schemes = allHeaders(head.headers, 'proxy-authenticate').map((value) => value.split(' ', 1)[0]);
  return new ConnectionError(
    failure('proxy.authentication-required', { address, schemes: schemes.join(', ') || 'no scheme named' }),
    false,
  );
}

/**
 * Asks the proxy at the other end of `socket` for a tunnel to the origin (RFC 9110, section 9.3.6). Rejects with a
 * ConnectionError; a proxy that closes before it answers may be tried again, one that answers anything but 2xx not.
 */
export function openProxyTunnel(
  socket: Socket,
  proxy: UpstreamProxy,
  origin: Origin,
  timeLimit: number,
): Promise<void> {
  const target = addressOf(origin);
  const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : '';
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0);
    const finish = (error: ConnectionError | null): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('error', onError);
      if (error) {
        socket.destroy();
        reject(error);
      } else {
        resolve();
      }
    };
    const onEnd = (): void =>
      finish(new ConnectionError(failure('proxy.empty-answer', { address: addressOf(proxy) }), true));
    const onError = (error: Error): void => {
      const about = failure(
        'proxy.connect-failed',
        { address: addressOf(proxy), detail: describe(error) },
        systemCode(error),
      );
      finish(new ConnectionError(about, true));
    };
    const onData = (chunk: Buffer): void => {
      answer = Buffer.concat([answer, chunk]);
      try {
        const end = findHeadEnd(answer, 0, ANSWER_LIMIT);
        if (end < 0) return;
        const head = readResponseHead(answer.subarray(0, end), { method: 'CONNECT' });
        socket.pause();
        if (answer.length > end) socket.unshift(answer.subarray(end));
        finish(head.status >= 200 && head.status < 300 ? null : refusal(head, proxy, target));
      } catch (error) {
        finish(
          new ConnectionError(
            failure('proxy.bad-answer', { address: addressOf(proxy), detail: describe(error) }),
            false,
          ),
        );
      }
    };
    const timer = setTimeout(() => {
      const about = failure(
        'upstream.connect-timeout',
        { address: addressOf(proxy), seconds: timeLimit / 1000 },
        'ETIMEDOUT',
      );
      finish(new ConnectionError(about, false));
    }, timeLimit);
    socket.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
