// The floor of what Node can do: the heads are found, bodies counted, and the very bytes passed on. One upstream a
// client, no chunked bodies, no recording: not a proxy that anyone could use.
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { given, localhostCertificate, ready } from './support.mjs';

const ca = fs.readFileSync(given.upstreamCa);
const END = Buffer.from('\r\n\r\n');
const context = tls.createSecureContext(localhostCertificate());

/** Finds messages in the pieces of one direction, and hands the pieces on as they are. */
function framer(to) {
  let missing = 0;
  let kept = null;
  return (piece) => {
    let bytes = kept === null ? piece : Buffer.concat([kept, piece]);
    kept = null;
    let at = 0;
    while (at < bytes.length) {
      if (missing > 0) {
        const taken = Math.min(missing, bytes.length - at);
        missing -= taken;
        at += taken;
        continue;
      }
      const end = bytes.indexOf(END, at);
      if (end < 0) {
        kept = bytes.subarray(at);
        bytes = bytes.subarray(0, at);
        break;
      }
      const head = bytes.latin1Slice(at, end + 4);
      missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      at = end + 4;
    }
    if (bytes.length > 0 && !to.write(bytes)) return false;
    return true;
  };
}

function join(from, to) {
  const pass = framer(to);
  from.on('data', (piece) => {
    if (!pass(piece)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}

function tunnel(socket, head) {
  const [, host, port] = /^CONNECT ([^:]+):(\d+)/.exec(head);
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const client = new tls.TLSSocket(socket, { isServer: true, secureContext: context, ALPNProtocols: ['http/1.1'] });
  const upstream = tls.connect({ host, port: Number(port), servername: host, ca, ALPNProtocols: ['http/1.1'] });
  upstream.setNoDelay(true);
  join(client, upstream);
  join(upstream, client);
}

function forward(socket, head, bytes) {
  const [, authority, host, port] = /^\S+ http:\/\/(([^:/]+):(\d+))/.exec(head);
  const upstream = net.connect({ host, port: Number(port), noDelay: true });
  const prefix = Buffer.from(`http://${authority}`);
  const passed = { write: (piece) => upstream.write(withoutPrefix(piece, prefix)) };
  const pass = framer(passed);
  socket.on('data', pass);
  socket.on('error', () => upstream.destroy());
  socket.on('close', () => upstream.destroy());
  join(upstream, socket);
  pass(bytes);
}

/** The absolute form of the first line becomes the origin form. */
function withoutPrefix(piece, prefix) {
  const at = piece.indexOf(prefix);
  if (at < 0 || at > 16) return piece;
  return Buffer.concat([piece.subarray(0, at), piece.subarray(at + prefix.length)]);
}

const server = net.createServer({ noDelay: true }, (socket) => {
  socket.once('error', () => socket.destroy());
  socket.once('data', (bytes) => {
    const head = bytes.toString('latin1', 0, 512);
    if (head.startsWith('CONNECT')) tunnel(socket, head);
    else forward(socket, head, bytes);
  });
});
server.listen(given.port, '127.0.0.1', () => ready(server.address().port));
