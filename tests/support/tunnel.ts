import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import type { TestEngine } from './engine.ts';

/** A raw tunnel through the engine, or another proxy on this machine, as a client's CONNECT opens it. */
export async function openTunnel(through: Pick<TestEngine, 'port'>, authority: string): Promise<net.Socket> {
  const socket = net.connect(through.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  await once(socket, 'readable');
  const response = String(socket.read());
  if (!response.startsWith('HTTP/1.1 200 ')) throw new Error(`CONNECT was answered ${response}`);
  return socket;
}

/** TLS to `localhost` inside such a tunnel, trusting the engine's CA. */
export async function openSecureTunnel(
  through: Pick<TestEngine, 'port' | 'caPem'>,
  port: number,
  alpn: string[],
): Promise<tls.TLSSocket> {
  const socket = await openTunnel(through, `localhost:${port}`);
  const secure = tls.connect({ socket, servername: 'localhost', ca: through.caPem, ALPNProtocols: alpn });
  secure.on('error', () => {});
  await once(secure, 'secureConnect');
  return secure;
}
