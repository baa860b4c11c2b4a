import { createServer, type Server, type Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, roundtripError, systemCode } from '../../failures/errors.ts';
import type { ProgramPort } from '../check/program-port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import type { RequestContext } from '../http/h1-request.ts';
import { endAndLinger } from '../http/linger.ts';
import { isThisMachine } from '../route/local-addresses.ts';
import { ClientTlsError, readHello, terminateTls } from '../tls/terminate.ts';
import { tlsInfoOf } from '../tls/tls-info.ts';
import { recordFailure } from '../tunnel/tunnel-record.ts';
import { Descriptors } from './descriptors.ts';
import { endWhenSilent } from './end-when-silent.ts';
import { firstBytes } from './first-bytes.ts';
import type { HttpFaces } from './http-faces.ts';
import { describeBytes } from './sniff.ts';
import { KEEP_ALIVE_DELAY, socketAddress } from './socket-address.ts';
import { readSocksRequest, SocksError, type SocksRequest } from './socks-request.ts';

/** Takes over a client's socket after its SOCKS request. */
export type SocksHandler = (socket: Socket, connection: ClientConnection, request: SocksRequest) => void;

/** The properties of an address's clients. */
export interface Entry {
  /** Set if the address is for one program. */
  programPort: ProgramPort | null;
  /** Set if Roundtrip acts as this origin there. */
  reverse: ReverseTarget | null;
}

export interface ReverseTarget {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  keepHost: boolean;
}

export interface Listening {
  host: string;
  port: number;
  /** Accepts no more clients. Connected ones stay. */
  close(): void;
}

/** Accepts clients, detects their protocol and passes them to the matching handler. */
export class Listener {
  readonly #context: EngineContext;
  readonly #faces: HttpFaces;
  readonly #socks: SocksHandler;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #descriptors: Descriptors;

  constructor(context: EngineContext, faces: HttpFaces, socks: SocksHandler) {
    this.#context = context;
    this.#faces = faces;
    this.#socks = socks;
    this.#descriptors = new Descriptors((about) => context.report(about));
  }

  /** Adds an address. Rejects with `engine.port-in-use`, `engine.reverse-port-in-use` or `engine.listen-failed`. */
  listen(host: string, port: number, entry: Entry): Promise<Listening> {
    const address = `${host}:${port}`;
    // Disables Nagle before the first write: otherwise each new connection loses two round trips (evidence, section 1).
    const server = createServer(
      {
        noDelay: !this.#context.settings.nagle,
        allowHalfOpen: true,
        pauseOnConnect: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_DELAY,
      },
      (socket) => this.#accept(socket, entry),
    );
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        const code = systemCode(error);
        const taken = entry.reverse === null ? 'engine.port-in-use' : 'engine.reverse-port-in-use';
        reject(
          code === 'EADDRINUSE'
            ? roundtripError(taken, { address }, code)
            : roundtripError('engine.listen-failed', { address, detail: describe(error) }, code),
        );
      });
      server.listen({ host, port, backlog: 1024 }, () => {
        this.#servers.push(server);
        server.on('error', (error) => this.#notAccepted(error, address));
        const bound = server.address();
        const close = (): void => void server.close();
        resolve({ host, port: typeof bound === 'object' && bound ? bound.port : port, close });
      });
    });
  }

  /** Records a failed accept; the server keeps listening. */
  #notAccepted(error: Error, address: string): void {
    const code = systemCode(error);
    const isShort = code === 'EMFILE' || code === 'ENFILE';
    const about = isShort
      ? this.#descriptors.exhausted()
      : failure('engine.listen-failed', { address, detail: describe(error) }, code);
    const id = this.#context.observer.nextConnectionId();
    const nobody = { localAddress: null, remoteAddress: null, reused: false, tls: null, via: null };
    recordFailure(this.#context, { id, protocol: 'http/1.1', ...nobody }, null, about);
  }

  /** Why another client can't be served, or null. */
  #noRoomFor(socket: Socket): Failure | null {
    const { clientConnections: limit } = this.#context.limits;
    if (this.#sockets.size >= limit) return failure('client.too-many-connections', { limit });
    return this.#descriptors.lacking(socket);
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /**
   * The proxy's own address if it is open to the network. Devices that don't use it as a proxy yet request it directly.
   */
  #itself({ localAddress, localPort }: Socket): { host: string; port: number } | null {
    if (this.#context.forDevices === null || !localAddress || !localPort) return null;
    return { host: localAddress.replace(/^::ffff:/, ''), port: localPort };
  }

  #contextOf(socket: Socket, reverse: ReverseTarget | null): RequestContext {
    if (reverse === null) return { scheme: 'http', target: null, itself: this.#itself(socket) };
    const { scheme, host, port, keepHost } = reverse;
    return { scheme, target: { host, port }, replacesHost: !keepHost };
  }

  #connectionOf(socket: Socket, { programPort, reverse }: Entry): ClientConnection {
    return {
      info: {
        id: this.#context.observer.nextConnectionId(),
        protocol: 'http/1.1',
        localAddress: socketAddress(socket.localAddress, socket.localPort),
        remoteAddress: socketAddress(socket.remoteAddress, socket.remotePort),
        reused: false,
        tls: null,
        via: null,
      },
      context: this.#contextOf(socket, reverse),
      offeredAlpn: [],
      serverName: null,
      sticky: null,
      closed: false,
      // Opening a reverse listener to other machines exposes its origin on purpose, even one on this machine.
      otherMachine: !reverse && (socket.remoteAddress === undefined || !isThisMachine(socket.remoteAddress)),
      programPort,
    };
  }

  #accept(socket: Socket, entry: Entry): void {
    // Client resets are routine; whoever reads the socket gets its 'close'.
    socket.on('error', () => {});
    const connection = this.#connectionOf(socket, entry);
    const about = this.#noRoomFor(socket);
    if (about) {
      recordFailure(this.#context, connection.info, null, about);
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#context.settings.nagle) socket.setNoDelay(false);
    this.#route(socket, connection, entry.reverse !== null).catch((error: unknown) => {
      recordFailure(this.#context, connection.info, null, failure('engine.internal', { detail: describe(error) }));
      socket.destroy();
    });
  }

  async #route(socket: Socket, connection: ClientConnection, isReverse: boolean): Promise<void> {
    const spoke = endWhenSilent(socket, this.#context, connection.info, null);
    const first = await firstBytes(socket, Buffer.alloc(0), null);
    spoke();
    if (!first) {
      socket.destroy();
      return;
    }
    const { spoken, bytes } = first;
    if (spoken === 'http1' || spoken === 'http2') this.#faces.serve(socket, connection, spoken, bytes);
    else if (spoken === 'tls') await this.#secure(socket, connection, bytes, isReverse);
    else if (spoken === 'socks' && !isReverse) await this.#serveSocks(socket, connection, bytes);
    else {
      const about = failure('client.not-http', { detail: describeBytes(bytes) });
      recordFailure(this.#context, connection.info, null, about);
      socket.destroy();
    }
  }

  async #serveSocks(socket: Socket, connection: ClientConnection, ahead: Buffer): Promise<void> {
    const spoke = endWhenSilent(socket, this.#context, connection.info, null);
    try {
      const request = await readSocksRequest(socket, ahead);
      spoke();
      this.#socks(socket, connection, request);
    } catch (error) {
      if (!(error instanceof SocksError)) throw error;
      recordFailure(this.#context, connection.info, null, failure('client.socks', { detail: error.message }));
      endAndLinger(socket, this.#context.limits.clientSilence);
    }
  }

  /**
   * Serves a client that connects over TLS: to the proxy (an "HTTPS proxy" in PAC files), which speaks HTTP/1.1, or to
   * a reverse listener, which speaks the client's preferred enabled protocol.
   */
  async #secure(socket: Socket, connection: ClientConnection, ahead: Buffer, isReverse: boolean): Promise<void> {
    const host = socket.localAddress ?? 'localhost';
    const { clientSilence } = this.#context.limits;
    try {
      const hello = await readHello(socket, ahead, host, clientSilence);
      const leaf = this.#context.leaves.contextFor(host.replace(/^::ffff:/, ''), hello.serverName);
      const isHttp2 = isReverse && this.#context.settings.http2Client && hello.alpn.includes('h2');
      const alpn = isHttp2 ? 'h2' : hello.alpn.includes('http/1.1') ? 'http/1.1' : null;
      const secure = await terminateTls(socket, leaf, { alpn, host, silence: clientSilence });
      connection.info.tls = tlsInfoOf(secure, hello.serverName, false);
      const inside = isReverse ? { ...connection, offeredAlpn: hello.alpn } : connection;
      this.#faces.serve(secure, inside, isHttp2 ? 'http2' : 'http1', Buffer.alloc(0));
    } catch (error) {
      if (!(error instanceof ClientTlsError)) throw error;
      recordFailure(this.#context, connection.info, null, error.failure);
      socket.destroy();
    }
  }

  /** Stops accepting clients; existing connections stay open. */
  stop(): void {
    for (const server of this.#servers) server.close();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
