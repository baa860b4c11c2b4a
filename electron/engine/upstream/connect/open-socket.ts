import type { LookupAddress } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { failure } from '../../../failures/errors.ts';
import { KEEP_ALIVE_DELAY } from '../../listen/socket-address.ts';
import { addressOf, type Origin, placeOf } from '../origin.ts';
import { ConnectionError } from './connection-error.ts';
import { connectError } from './connection-failure.ts';
import { lookup } from './lookup.ts';
import { type Ours, reachable } from './may-reach.ts';
import { raceAddresses } from './race-addresses.ts';

/** A TCP connection and how long opening it took, in milliseconds; dns is -1 for an IP literal. */
export interface OpenSocket {
  socket: Socket;
  dns: number;
  tcp: number;
}

export interface SocketOptions extends Ours {
  readonly nagle: boolean;
  /** Milliseconds. */
  readonly connectTime: number;
}

function connectAt(host: string, port: number, nagle: boolean): Socket {
  return connect({
    host,
    port,
    noDelay: !nagle,
    allowHalfOpen: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_DELAY,
  });
}

function timedOut(origin: Origin, { connectTime }: SocketOptions): ConnectionError {
  const address = addressOf(origin.proxy ?? placeOf(origin));
  const code = origin.proxy ? 'proxy.timeout' : 'upstream.connect-timeout';
  return new ConnectionError(failure(code, { address, seconds: connectTime / 1000 }, 'ETIMEDOUT'), false);
}

/** Opens a TCP connection to the origin, or to its upstream proxy. Rejects with a ConnectionError. */
export function openSocket(origin: Origin, options: SocketOptions): Promise<OpenSocket> {
  const { host, port } = origin.proxy ?? placeOf(origin);
  const startedAt = performance.now();
  const connectTo = (address: string): Socket => connectAt(address, port, options.nagle);
  return new Promise((resolve, reject) => {
    let over = false;
    let stop = (): void => {};
    const timer = setTimeout(() => {
      over = true;
      stop();
      reject(timedOut(origin, options));
    }, options.connectTime);
    const refuse = (error: ConnectionError): void => {
      clearTimeout(timer);
      reject(error);
    };
    const race = (addresses: readonly LookupAddress[], dns: number): void => {
      const allowed = origin.proxy ? addresses : reachable(origin, addresses, options);
      if ('code' in allowed) {
        refuse(new ConnectionError(allowed, false));
        return;
      }
      const from = performance.now();
      stop = raceAddresses(allowed, connectTo, (error, socket) => {
        clearTimeout(timer);
        if (socket) resolve({ socket, dns, tcp: performance.now() - from });
        else reject(connectError(error ?? new Error('no address'), origin));
      });
    };
    const family = isIP(host);
    if (family !== 0) race([{ address: host, family }], -1);
    else
      lookup(host, { all: true }, (error, found) => {
        if (over) return;
        if (error) refuse(connectError(error, origin));
        else race(found as LookupAddress[], performance.now() - startedAt);
      });
  });
}
