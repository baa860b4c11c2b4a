import type { Socket } from 'node:net';
import { ConnectionError } from '../connect/connection-error.ts';
import { addressOf, type Origin } from '../origin.ts';
import { ConnectionAuth } from './connection-auth.ts';
import { askProxy, recordedAnswer } from './proxy-answer.ts';
import type { LineOptions } from './proxy-line.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

interface Entered {
  socket: Socket;
  talk: ConnectionAuth;
}

/** A talk whose turn it is; it ends with the socket. Rejects with a ConnectionError. */
async function begin(socket: Socket, proxy: UpstreamProxy): Promise<ConnectionAuth> {
  const talk = new ConnectionAuth(proxy.door);
  try {
    await talk.prepare();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.once('close', () => talk.close());
  return talk;
}

/**
 * Readies a connection for plain requests, which name their origin and need no tunnel: waits for its turn where the login is
 * not proven yet. NTLM's first message goes ahead with a request of its own, for its answer is always 407, and a body that is
 * too large to keep could not be sent again; the count of round trips stays. That request is an OPTIONS, which changes nothing
 * where a proxy forwards it after all. Rejects with a ConnectionError.
 */
export async function enterProxy(
  first: Socket,
  { proxy, timeLimit }: LineOptions,
  origin: Pick<Origin, 'host' | 'port'>,
  reopen: () => Promise<Socket>,
): Promise<Entered> {
  const talk = await begin(first, proxy);
  if (!talk.needsGreeting) return { socket: first, talk };
  const host = addressOf(origin);
  const target = `http://${host}/`;
  const authorization = talk.header('OPTIONS', target) ?? '';
  const request = `OPTIONS ${target} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
  const answer = await askProxy(first, request, addressOf(proxy), timeLimit);
  if (answer.head.status === 407 && answer.reusable) {
    const verdict = talk.answered(answer.head);
    if (typeof verdict !== 'object') return { socket: first, talk };
    first.destroy();
    const error = new ConnectionError(verdict, false);
    error.answer = recordedAnswer(answer);
    throw error;
  }
  // What was said is lost with the connection: the first request greets.
  talk.close();
  first.destroy();
  const socket = await reopen();
  return { socket, talk: await begin(socket, proxy) };
}
