import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MESSAGE_LIMIT } from '../commands/dispatch.ts';
import type { Host } from '../commands/host.ts';
import { readPageFile } from '../commands/page-files.ts';
import { webPageHeaders } from '../commands/page-policy.ts';
import { describe, roundtripError, systemCode } from '../failures/errors.ts';
import { AgentEndpoint } from './agent-endpoint.ts';
import type { Downloads } from './downloads.ts';
import { Gate } from './gate.ts';
import { refuse } from './refuse.ts';
import { firstCalls, serveSocket } from './socket-session.ts';

export interface WebHostOptions {
  /** 0 picks a free port. */
  port: number;
  /** Absolute: dist/renderer. */
  pageFolder: string;
  downloads: Downloads;
}

/** Bytes. A larger message closes the connection (code 1009); one over `MESSAGE_LIMIT` gets a refusal as reply. */
const FRAME_LIMIT = 4 * MESSAGE_LIMIT;

/** Idle timeout of HTTP connections, in milliseconds. Does not apply to WebSockets: `ws` turns it off. */
const SILENCE = 5 * 60_000;

/** Returns null for a request target that is not a path, such as `//` or `*`. */
function targetOf({ url = '' }: http.IncomingMessage): URL | null {
  return url.startsWith('/') && URL.canParse(url, 'http://ui.invalid') ? new URL(url, 'http://ui.invalid') : null;
}

async function listen(server: http.Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  const address = `127.0.0.1:${port}`;
  try {
    await once(server, 'listening');
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') throw roundtripError('engine.ui-port-in-use', { address }, 'EADDRINUSE');
    throw roundtripError('engine.listen-failed', { address, detail: describe(error) }, systemCode(error));
  }
  return (server.address() as AddressInfo).port;
}

/** Serves the UI to a browser, on loopback only: files over HTTP, the contract over a WebSocket. */
export class WebHost {
  readonly port: number;
  readonly #gate: Gate;
  readonly #server: http.Server;
  readonly #options: WebHostOptions;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_LIMIT, perMessageDeflate: false });
  /** WebSockets and refused upgrades too, which the HTTP server no longer tracks. */
  readonly #connections = new Set<Socket>();
  #host: Host | null = null;
  #agents: AgentEndpoint | null = null;

  /** Starts listening; serves after `serve`. Rejects with `engine.ui-port-in-use` or `engine.listen-failed`. */
  static async open(options: WebHostOptions): Promise<WebHost> {
    const server = http.createServer();
    return new WebHost(server, await listen(server, options.port), options);
  }

  private constructor(server: http.Server, port: number, options: WebHostOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    this.#gate = new Gate(port);
    server.setTimeout(SILENCE);
    server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    server.on('request', (request, response) => void this.#respond(request, response));
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Contains the token in the fragment, which browsers do not send to servers. */
  get url(): string {
    const { url, token } = this.address;
    return `${url}/#token=${token}`;
  }

  get address(): { url: string; token: string } {
    return { url: `http://127.0.0.1:${this.port}`, token: this.#gate.token };
  }

  get authorities(): string[] {
    return this.#gate.authorities;
  }

  serve(host: Host): void {
    this.#host = host;
    this.#agents = new AgentEndpoint(host, this.#gate);
  }

  async close(): Promise<void> {
    await this.#agents?.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    // The server waits for each of them, and a client may keep its own side open forever.
    for (const socket of this.#connections) socket.destroy();
    await closed;
    this.#options.downloads.close();
  }

  async #respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.setHeaders(new Map(Object.entries(webPageHeaders(request.headers['sec-fetch-site']))));
    if (!this.#gate.isOurHost(request)) return refuse(response, 403, 'Unknown host name.');
    const pathname = targetOf(request)?.pathname;
    if (pathname === '/mcp' && this.#agents !== null) return await this.#agents.respond(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.');
    if (pathname === undefined) return refuse(response, 400, 'The request target is not a path.');
    if (pathname.startsWith('/download/')) return this.#download(pathname, request, response);
    const file = await readPageFile(this.#options.pageFolder, pathname);
    if (file === null) return refuse(response, 404, 'File not found.');
    const cacheControl = pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
    response.writeHead(200, {
      'content-type': file.type,
      'content-length': file.bytes.length,
      'cache-control': cacheControl,
    });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  }

  #download(pathname: string, request: http.IncomingMessage, response: http.ServerResponse): void {
    // A HEAD must not use up the URL.
    const file =
      request.method === 'GET' && this.#gate.isOurOrigin(request) ? this.#options.downloads.take(pathname) : null;
    if (file === null) {
      refuse(response, 404, 'This download does not exist or was already fetched.');
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': file.bytes,
      'content-disposition': `attachment; filename="${file.name}"`,
      'cache-control': 'no-store',
    });
    file.stream.once('error', () => response.destroy());
    response.once('close', () => file.stream.destroy());
    file.stream.pipe(response);
  }

  #upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = targetOf(request);
    const allowed =
      target?.pathname === '/inspector' &&
      this.#gate.isOurHost(request) &&
      this.#gate.isOurOrigin(request) &&
      this.#gate.knowsToken(target.searchParams.get('token'));
    socket.once('error', () => socket.destroy());
    if (!allowed || this.#host === null) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const host = this.#host;
    this.#sockets.handleUpgrade(request, socket, head, (client: WebSocket) =>
      serveSocket(client, host, this.#options.downloads, { first: firstCalls(target.searchParams.get('first')) }),
    );
  }
}
