import type { Socket } from 'node:net';
import type { CheckStep } from '../../../shared/model/capture-check.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import { endWhenSilent } from '../listen/end-when-silent.ts';
import { firstBytes } from '../listen/first-bytes.ts';
import type { HttpFaces } from '../listen/http-faces.ts';
import { onRejection } from '../tls/on-rejection.ts';
import { ClientTlsError, readHello, terminateTls } from '../tls/terminate.ts';
import { tlsInfoOf } from '../tls/tls-info.ts';

export interface CheckTunnel {
  token: string;
  target: { host: string; port: number };
  socket: Socket;
  connection: ClientConnection;
  /** Bytes already read from the tunnel. */
  ahead: Buffer;
}

/**
 * Serves a tunnel to a check's host. There is no upstream, TLS is terminated regardless of the settings, and a rejected
 * certificate is itself the check's result.
 */
export async function serveCheckTunnel(context: EngineContext, faces: HttpFaces, tunnel: CheckTunnel): Promise<void> {
  const { token, target, socket, connection } = tunnel;
  const from = connection.info.remoteAddress;
  const sight = (step: CheckStep, detail: string): void => context.sighted({ token, step, detail, from });
  const { clientSilence } = context.limits;
  const spoke = endWhenSilent(socket, context, connection.info, null);
  const first = await firstBytes(socket, tunnel.ahead, null);
  spoke();
  if (first?.spoken === 'http1') {
    faces.serve(socket, { ...connection, context: { scheme: 'http', target } }, 'http1', first.bytes);
    return;
  }
  if (first?.spoken !== 'tls') {
    socket.destroy();
    return;
  }
  try {
    const hello = await readHello(socket, first.bytes, target.host, clientSilence);
    const leaf = context.leaves.contextFor(target.host, hello.serverName);
    const alpn = hello.alpn.includes('http/1.1') ? 'http/1.1' : null;
    const secure = await terminateTls(socket, leaf, { alpn, host: target.host, silence: clientSilence });
    onRejection(secure, target.host, ({ message }) => sight('refused', message));
    const info = { ...connection.info, tls: tlsInfoOf(secure, hello.serverName, false) };
    faces.serve(secure, { ...connection, info, context: { scheme: 'https', target } }, 'http1', Buffer.alloc(0));
  } catch (error) {
    if (!(error instanceof ClientTlsError)) throw error;
    sight('refused', error.message);
    socket.destroy();
  }
}
