// What Node's own modules cost with nothing else: node:http or node:http2 on both sides, no recording.
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';
import { given, localhostCertificate, ready } from './support.mjs';

const ca = fs.readFileSync(given.upstreamCa);
const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true, ca }) };
const sessions = new Map();

/** Hands an HTTP/1.1 request on to the origin with the fields that it came with. */
function forward(request, response) {
  const secure = request.socket.encrypted === true;
  const url = secure ? `https://${request.headers.host}${request.url}` : request.url;
  const options = {
    method: request.method,
    headers: request.rawHeaders,
    setDefaultHeaders: false,
    agent: secure ? agents.https : agents.http,
  };
  const upstream = (secure ? https : http).request(url, options, (received) => {
    response.writeHead(received.statusCode, received.rawHeaders);
    received.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}

function sessionOf(authority) {
  let session = sessions.get(authority);
  if (session === undefined || session.closed || session.destroyed) {
    session = http2.connect(`https://${authority}`, { ca });
    session.on('error', () => sessions.delete(authority));
    sessions.set(authority, session);
  }
  return session;
}

function forwardStream(stream, headers) {
  const upstream = sessionOf(headers[':authority']).request(headers, { endStream: stream.endAfterHeaders });
  upstream.on('response', (received) => {
    stream.respond(received);
    upstream.pipe(stream);
  });
  upstream.on('error', () => stream.destroy());
  stream.on('error', () => upstream.destroy());
  if (!stream.endAfterHeaders) stream.pipe(upstream);
}

const inner = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, forward);
const inner2 = http2.createServer().on('stream', forwardStream);
const context = tls.createSecureContext(localhostCertificate());

function intercept(_request, socket) {
  socket.setNoDelay(true);
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  const secured = new tls.TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  secured.on('error', () => socket.destroy());
  secured.once('secure', () => {
    // Else node:http2 waits for a handshake that is over, and the session hangs.
    secured.secureConnecting = false;
    (secured.alpnProtocol === 'h2' ? inner2 : inner).emit('connection', secured);
  });
}

const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, forward).on('connect', intercept);
server.listen(given.port, '127.0.0.1', () => ready(server.address().port));
