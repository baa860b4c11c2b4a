import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { listen } from './listen.ts';

const HEAD_END = '\r\n\r\n';

/** Forwards bytes, ends, and errors. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.resetAndDestroy());
  from.on('close', () => to.destroySoon());
}

async function openTunnel(proxyPort: number, authority: string): Promise<Socket> {
  const proxy = net.connect({ port: proxyPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  proxy.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  for (let head = ''; ; ) {
    await once(proxy, 'readable');
    const piece: Buffer | null = proxy.read();
    if (piece === null) throw new Error('the proxy closed the connection');
    head += piece.toString('latin1');
    const end = head.indexOf(HEAD_END);
    if (end === -1) continue;
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, end));
    proxy.unshift(Buffer.from(head.slice(end + HEAD_END.length), 'latin1'));
    return proxy;
  }
}

/**
 * For a client without proxy support: returns a loopback port, each of whose connections is a tunnel to `host:port`.
 */
export async function tunnelRelay(proxyPort: number, host: string, port: number): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    openTunnel(proxyPort, `${host}:${port}`).then(
      (proxy) => {
        join(client, proxy);
        join(proxy, client);
      },
      () => client.resetAndDestroy(),
    );
  });
  return await listen(server.unref());
}
