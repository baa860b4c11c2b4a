import type { LookupAddress } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { failure } from '../../../failures/errors.ts';
import { KEEP_ALIVE_DELAY } from '../../listen/socket-address.ts';
import { turn } from '../../turn.ts';
import { addressOf, type Origin, placeOf } from '../origin.ts';
import { ConnectionError } from './connection-error.ts';
import { connectError } from './connection-failure.ts';
import { isLocalhost, lookup } from './lookup.ts';
import { barredEnds, type Ours, reachable } from './may-reach.ts';
import { raceAddresses } from './race-addresses.ts';

/**
 * A TCP connection and how long opening it took, in milliseconds; dns is -1 for an IP literal. `late`: how long the
 * answers waited for this thread, which counts as our overhead.
 */
export interface OpenSocket {
  socket: Socket;
  dns: number;
  tcp: number;
  late: number;
}

/**
 * Milliseconds. A shorter delay counts as part of the answer's time: arrivals are estimated at their earliest, and in a
 * busy turn most handshakes on a near network would take no time at all.
 */
const LATE = 8;

/** How long an answer took to arrive, and how long it waited for this thread; milliseconds, -1 if there was none. */
export interface Answer {
  took: number;
  late: number;
}

export const UNASKED: Answer = { took: -1, late: 0 };

/** Call it with the answer. `from`: when it was asked for; `at`: when the answer arrived, at the earliest. */
export function answered(from: number, at: number): Answer {
  const now = performance.now();
  const late = now - Math.max(at, from);
  return late < LATE ? { took: now - from, late: 0 } : { took: now - from - late, late };
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

function opened(socket: Socket, dns: Answer, tcp: Answer): OpenSocket {
  return { socket, dns: dns.took, tcp: tcp.took, late: dns.late + tcp.late };
}

/** Why the race ended without a connection that may be used, or null. */
function problemOf(
  origin: Origin,
  options: SocketOptions,
  { error, socket }: { error: Error | null; socket: Socket | null },
): ConnectionError | null {
  if (!socket) return connectError(error ?? new Error('no address'), origin);
  const barred = origin.proxy ? null : barredEnds(origin, socket, options);
  if (!barred) return null;
  socket.destroy();
  return new ConnectionError(barred, false);
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
    const race = (addresses: readonly LookupAddress[], dns: Answer): void => {
      const allowed = origin.proxy ? addresses : reachable(origin, addresses, options);
      if ('code' in allowed) {
        refuse(new ConnectionError(allowed, false));
        return;
      }
      const from = performance.now();
      stop = raceAddresses(allowed, connectTo, (error, socket) => {
        clearTimeout(timer);
        const problem = problemOf(origin, options, { error, socket });
        if (problem) reject(problem);
        else if (socket) resolve(opened(socket, dns, answered(from, turn.reads(socket, 0))));
      });
    };
    const family = isIP(host);
    if (family !== 0) race([{ address: host, family }], UNASKED);
    else
      lookup(host, { all: true }, (error, found) => {
        if (over) return;
        if (error) refuse(connectError(error, origin));
        else race(found as LookupAddress[], answered(startedAt, isLocalhost(host) ? performance.now() : turn.reads()));
      });
  });
}
