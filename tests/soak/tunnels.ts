import { once } from 'node:events';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

export interface Through {
  proxy: number;
  ca: string;
}

/** TLS to `localhost:port` in a tunnel through the proxy. */
export async function secureTunnel({ proxy, ca }: Through, port: number, alpn: string): Promise<tls.TLSSocket> {
  const socket = net.connect({ port: proxy, host: '127.0.0.1', noDelay: true });
  const authority = `localhost:${port}`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const [response] = (await once(socket, 'data')) as [Buffer];
  if (!response.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(`CONNECT was answered ${response}`);
  const secure = tls.connect({ socket, servername: 'localhost', ca, ALPNProtocols: [alpn] });
  await once(secure, 'secureConnect');
  return secure;
}

/** Connections of node:https through the proxy, kept. */
export class TunnelAgent extends https.Agent {
  readonly #through: Through;
  readonly #port: number;

  constructor(through: Through, port: number, maxSockets: number) {
    super({ keepAlive: true, maxSockets });
    this.#through = through;
    this.#port = port;
  }

  override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
    secureTunnel(this.#through, this.#port, 'http/1.1').then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, new net.Socket()),
    );
  }
}
