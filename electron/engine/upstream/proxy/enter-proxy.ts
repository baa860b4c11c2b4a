import type { Socket } from 'node:net';
import { ConnectionError } from '../connect/connection-error.ts';
import { addressOf, type Origin } from '../origin.ts';
import { askProxy, recordedResponse } from './connect-response.ts';
import { ConnectionAuth } from './connection-auth.ts';
import type { LineOptions } from './proxy-line.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

interface Entered {
  socket: Socket;
  auth: ConnectionAuth;
}

/** Prepares the authentication of a connection, which ends with the socket. Rejects with a ConnectionError. */
async function begin(socket: Socket, proxy: UpstreamProxy): Promise<ConnectionAuth> {
  const auth = new ConnectionAuth(proxy.authenticator);
  try {
    await auth.prepare();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.once('close', () => auth.close());
  return auth;
}

/**
 * Prepares a connection for plain requests, which name their origin and need no tunnel. Waits for its turn if the login
 * is not proven yet. NTLM's first message is sent ahead in a separate request: its response is always 407, and a body
 * too large to keep could not be sent again. The number of round trips stays the same. That request is an OPTIONS,
 * which changes nothing if a proxy forwards it after all. Rejects with a ConnectionError.
 */
export async function enterProxy(
  first: Socket,
  { proxy, timeLimit }: LineOptions,
  origin: Pick<Origin, 'host' | 'port'>,
  reopen: () => Promise<Socket>,
): Promise<Entered> {
  const auth = await begin(first, proxy);
  if (!auth.needsGreeting) return { socket: first, auth };
  const host = addressOf(origin);
  const target = `http://${host}/`;
  const authorization = auth.header('OPTIONS', target) ?? '';
  const request = `OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
  const response = await askProxy(first, request, addressOf(proxy), timeLimit);
  if (response.head.status === 407 && response.reusable) {
    const verdict = auth.responded(response.head);
    if (typeof verdict !== 'object') return { socket: first, auth };
    first.destroy();
    const error = new ConnectionError(verdict, false);
    error.response = recordedResponse(response);
    throw error;
  }
  // The handshake so far is lost with the connection: the first request starts it again.
  auth.close();
  first.destroy();
  const socket = await reopen();
  return { socket, auth: await begin(socket, proxy) };
}
