import { connect, type Socket } from 'node:net';
import { failure } from '../errors.ts';
import { ConnectionError, connectError } from './connection-failure.ts';
import { lookup } from './lookup.ts';
import { addressOf, type Origin, placeOf } from './origin.ts';

/** A TCP connection, and what opening it took in milliseconds; dns -1 for an IP literal. */
export interface OpenSocket {
  socket: Socket;
  dns: number;
  tcp: number;
}

export interface SocketOptions {
  readonly nagle: boolean;
  /** Milliseconds. */
  readonly connectTime: number;
}

/** Opens TCP to the origin, or to the proxy before it. Rejects with a ConnectionError. */
export function openSocket(origin: Origin, options: SocketOptions): Promise<OpenSocket> {
  const { host, port } = origin.proxy ?? placeOf(origin);
  const startedAt = performance.now();
  let lookedUpAt = -1;
  const noDelay = !options.nagle;
  const socket = connect({ host, port, lookup, noDelay, allowHalfOpen: true, autoSelectFamily: true });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const seconds = options.connectTime / 1000;
      const address = addressOf({ host, port });
      socket.destroy();
      const code = origin.proxy ? 'proxy.timeout' : 'upstream.connect-timeout';
      reject(new ConnectionError(failure(code, { address, seconds }, 'ETIMEDOUT'), false));
    }, options.connectTime);
    socket.once('lookup', () => {
      lookedUpAt = performance.now();
    });
    const onError = (error: Error): void => {
      clearTimeout(timer);
      reject(connectError(error, origin));
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      // Begun early, it may be reset before anybody takes it, and an error that nobody hears ends the thread.
      socket.on('error', () => {});
      const tcpFrom = lookedUpAt < 0 ? startedAt : lookedUpAt;
      resolve({ socket, dns: lookedUpAt < 0 ? -1 : lookedUpAt - startedAt, tcp: performance.now() - tcpFrom });
    });
  });
}
