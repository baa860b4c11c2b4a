import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { SocksClient } from 'socks';
import type { Failure } from '../../../../shared/model/failure.ts';
import { describe, failure, systemCode } from '../../../failures/errors.ts';
import { ConnectionError } from '../connect/connection-error.ts';
import { addressOf, type Origin } from '../origin.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/**
 * The name, or its address if the scheme requires a local lookup (in curl's terms, `socks5h` leaves it to the proxy).
 */
async function destinationHost(
  host: string,
  proxy: UpstreamProxy,
  barred: (address: string) => Failure | null,
): Promise<string> {
  if (isIP(host) !== 0 || proxy.scheme === 'socks4a' || proxy.scheme === 'socks5h') return host;
  const { address } = await lookup(host, { family: proxy.scheme === 'socks4' ? 4 : 0 }).catch((error: unknown) => {
    throw new ConnectionError(failure('upstream.host-not-found', { host }, systemCode(error)), false);
  });
  const about = barred(address);
  if (about) throw new ConnectionError(about, false);
  return address;
}

/** The library distinguishes failures only by their messages (socks 2.8, common/constants.js). */
function socksFailure(error: unknown, proxy: UpstreamProxy, target: string, timeLimit: number): Failure {
  const address = addressOf(proxy);
  const detail = describe(error);
  if (/Authentication failed/i.test(detail)) return failure('proxy.wrong-password', { address, scheme: 'SOCKS5' });
  if (/authentication type/i.test(detail)) {
    return proxy.login
      ? failure('proxy.authentication-unsupported', { address, schemes: 'SOCKS5' })
      : failure('proxy.authentication-required', { address, schemes: 'SOCKS5' });
  }
  if (/rejected/i.test(detail)) {
    const reason = /- \(?(\w+)/.exec(detail)?.[1] ?? detail;
    return failure('proxy.socks-refused', { address, target, detail: reason });
  }
  if (/timed out/i.test(detail)) return failure('proxy.timeout', { address, seconds: timeLimit / 1000 }, 'ETIMEDOUT');
  if (/Socket closed/i.test(detail)) return failure('proxy.empty-answer', { address });
  if (systemCode(error)) return failure('proxy.connect-failed', { address, detail }, systemCode(error));
  return failure('proxy.bad-answer', { address, detail });
}

/**
 * In the turn after, the library (socks 2.8, `connect`) emits the bytes after the proxy's response as 'data' and
 * resumes the socket. A server that speaks first would lose its bytes if there is no listener by then. This puts them
 * back into the socket.
 */
async function keepFirstBytes(socket: Socket): Promise<void> {
  const pieces: Buffer[] = [];
  const keep = (piece: Buffer): void => void pieces.push(piece);
  // A socket with a listener for 'readable' does not flow when it is resumed.
  const still = (): void => {};
  socket.on('readable', still).on('data', keep);
  await new Promise((resume) => setImmediate(resume));
  socket.off('data', keep).off('readable', still);
  socket.pause();
  if (pieces.length > 0 && !socket.readableEnded) socket.unshift(Buffer.concat(pieces));
}

/**
 * Asks the SOCKS proxy at the other end of `socket` to connect to the origin (SOCKS4, 4a; RFC 1928 and 1929). Rejects
 * with a ConnectionError. `timeLimit`: milliseconds for all of it. `barred`: why a locally resolved address may not be
 * requested.
 */
export async function openSocksTunnel(
  socket: Socket,
  proxy: UpstreamProxy,
  origin: Pick<Origin, 'host' | 'port'>,
  { timeLimit, barred }: { timeLimit: number; barred: (address: string) => Failure | null },
): Promise<void> {
  const target = addressOf(origin);
  let release = (): void => {};
  try {
    release = await proxy.authenticator.mayTry();
    const host = await destinationHost(origin.host, proxy, barred);
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host, port: origin.port },
      existing_socket: socket,
      proxy: {
        host: proxy.host,
        port: proxy.port,
        type: proxy.scheme.startsWith('socks4') ? 4 : 5,
        ...(proxy.login && { userId: proxy.login.user, password: proxy.login.password }),
      },
      timeout: timeLimit,
    });
    await keepFirstBytes(socket);
    proxy.authenticator.accepted();
  } catch (error) {
    socket.destroy();
    if (error instanceof ConnectionError) throw error;
    const about = socksFailure(error, proxy, target, timeLimit);
    if (about.code === 'proxy.wrong-password') proxy.authenticator.refuse('socks5');
    // Some proxies close instead of sending a refusal (RFC 1929 defines one): an unproven login is not sent again.
    const guessed = proxy.login !== null && !proxy.authenticator.good;
    throw new ConnectionError(about, about.code === 'proxy.empty-answer' && !guessed);
  } finally {
    release();
  }
}
