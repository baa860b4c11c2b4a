import net from 'node:net';
import type { HttpProxy, Target } from './proxy-choice.ts';

const HEAD_END = '\r\n\r\n';
/** Bytes. The proxy's response is a status line and a few fields. */
const LONGEST_HEAD = 16 * 1024;

export type TunnelOpened = (error: Error | null, tunnel?: net.Socket) => void;

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function connectRequest({ host, port }: Target, { authorization }: HttpProxy): string {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`;
}

function refusal(head: string): Error | null {
  if (/^HTTP\/1\.[01] 2\d\d/.test(head)) return null;
  return failure('ERR_PROXY_TUNNEL', `The proxy refused the tunnel: ${head.slice(0, head.indexOf('\r\n'))}`);
}

/** Calls back with the complete head; pushes the bytes after it back into the socket. */
function readHead(socket: net.Socket, done: (error: Error | null, head: string) => void): void {
  let got = Buffer.alloc(0);
  const finish = (error: Error | null, head: string): void => {
    socket.removeListener('readable', read).removeListener('error', fail).removeListener('end', ended);
    done(error, head);
  };
  const fail = (error: Error): void => finish(error, '');
  const ended = (): void => fail(failure('ECONNRESET', 'The proxy closed the connection before the tunnel was open'));
  const read = (): void => {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read())
      got = Buffer.concat([got, piece]);
    const end = got.indexOf(HEAD_END);
    if (end === -1) {
      if (got.length > LONGEST_HEAD) fail(failure('ERR_PROXY_TUNNEL', "The proxy's response header is too long"));
      return;
    }
    const rest = got.slice(end + HEAD_END.length);
    if (rest.length > 0) socket.unshift(rest);
    finish(null, got.toString('latin1', 0, end + 2));
  };
  socket.on('readable', read).on('error', fail).on('end', ended);
}

/** Connects to the proxy and opens a tunnel to the target (RFC 9110, section 9.3.6). Calls back once. */
export function openTunnel(proxy: HttpProxy, target: Target, opened: TunnelOpened): void {
  const socket = net.connect({ host: proxy.host, port: proxy.port });
  socket.setNoDelay(true);
  socket.write(connectRequest(target, proxy));
  readHead(socket, (error, head) => {
    const problem = error ?? refusal(head);
    if (problem === null) {
      opened(null, socket);
      return;
    }
    socket.destroy();
    opened(problem);
  });
}
