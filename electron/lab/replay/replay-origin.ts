import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Link } from '../link/link.ts';
import { LinkStream } from '../link/link-stream.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { ReplaySource } from './replay-source.ts';

/** The first byte of a TLS record with a handshake (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 0x16;

/** Megabytes that one HTTP/2 connection may hold. */
const SESSION_MEMORY = 1024;

export interface OriginConditions {
  link: Link;
  http2: boolean;
}

/** One origin of the page, on its own loopback port. */
export class ReplayOrigin {
  /** `host:port` in the page's URLs. */
  readonly name: string;
  readonly #source: ReplaySource;
  readonly #context: SecureContext;
  readonly #conditions: () => OriginConditions;
  readonly #server: net.Server;
  readonly #http1: http.Server;
  readonly #http2: http2.Http2Server;
  readonly #sockets = new Set<Socket>();

  constructor(name: string, source: ReplaySource, context: SecureContext, conditions: () => OriginConditions) {
    this.name = name;
    this.#source = source;
    this.#context = context;
    this.#conditions = conditions;
    // No limits of time: a slow emulated network is what is measured.
    const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
    this.#http1 = http.createServer(limits, (request, response) => {
      void source.respond(name, new Http1Exchange(request, response, source.keepsAlive));
    });
    // Of 1,000 requests at once, node:http2 refuses some when the responses that wait reach 10 MB.
    this.#http2 = http2.createServer({ maxSessionMemory: SESSION_MEMORY }).on('stream', (stream, headers) => {
      void source.respond(name, new Http2Exchange(stream, headers));
    });
    this.#server = net.createServer((socket) => this.#accept(socket));
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  closeConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.closeConnections();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket.setNoDelay(true));
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const { link } = this.#conditions();
    const stream: Duplex = link.isTransparent ? socket : new LinkStream(socket, link);
    stream.on('error', () => stream.destroy());
    stream.once('readable', () => {
      const first: Buffer | null = stream.read();
      if (first === null) return;
      // Browsers open connections ahead of need; one that stays unused does not count.
      this.#source.log.connected();
      stream.unshift(first);
      if (first[0] === TLS_HANDSHAKE) this.#secure(stream);
      else this.#http1.emit('connection', stream);
    });
  }

  #secure(stream: Duplex): void {
    const isHttp2 = this.#conditions().http2;
    const secure = new TLSSocket(stream, {
      isServer: true,
      secureContext: this.#context,
      ALPNProtocols: isHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    });
    secure.on('error', () => stream.destroy());
    secure.once('secure', () => {
      const server = secure.alpnProtocol === 'h2' ? this.#http2 : this.#http1;
      server.emit('connection', secure);
      // A session of node:http2 waits for it, unless the socket comes from a tls.Server.
      secure.emit('secureConnect');
    });
  }
}
