import { createServer, type Server, type Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, roundtripError, systemCode } from '../../failures/errors.ts';
import type { ProgramPort } from '../check/program-port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
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

/** Accepts clients, detects their protocol and passes them to the matching handler. */
export class Listener {
  readonly #context: EngineContext;
  readonly #faces: HttpFaces;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #descriptors: Descriptors;

  constructor(context: EngineContext, faces: HttpFaces) {
    this.#context = context;
    this.#faces = faces;
    this.#descriptors = new Descriptors((about) => context.report(about));
  }

  /**
   * Adds an address; `programPort`: set if it is for one program. Rejects with `engine.port-in-use` or
   * `engine.listen-failed`.
   */
  listen(host: string, port: number, programPort: ProgramPort | null): Promise<{ host: string; port: number }> {
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
      (socket) => this.#accept(socket, programPort),
    );
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        const code = systemCode(error);
        reject(
          code === 'EADDRINUSE'
            ? roundtripError('engine.port-in-use', { address }, code)
            : roundtripError('engine.listen-failed', { address, detail: describe(error) }, code),
        );
      });
      server.listen({ host, port, backlog: 1024 }, () => {
        this.#servers.push(server);
        server.on('error', (error) => this.#notAccepted(error, address));
        const bound = server.address();
        resolve({ host, port: typeof bound === 'object' && bound ? bound.port : port });
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

  #connectionOf(socket: Socket, programPort: ProgramPort | null): ClientConnection {
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
      context: { scheme: 'http', target: null, itself: this.#itself(socket) },
      offeredAlpn: [],
      serverName: null,
      sticky: null,
      closed: false,
      otherMachine: socket.remoteAddress === undefined || !isThisMachine(socket.remoteAddress),
      programPort,
    };
  }

  #accept(socket: Socket, programPort: ProgramPort | null): void {
    // Client resets are routine; whoever reads the socket gets its 'close'.
    socket.on('error', () => {});
    const connection = this.#connectionOf(socket, programPort);
    const about = this.#noRoomFor(socket);
    if (about) {
      recordFailure(this.#context, connection.info, null, about);
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#context.settings.nagle) socket.setNoDelay(false);
    this.#route(socket, connection).catch((error: unknown) => {
      recordFailure(this.#context, connection.info, null, failure('engine.internal', { detail: describe(error) }));
      socket.destroy();
    });
  }

  async #route(socket: Socket, connection: ClientConnection): Promise<void> {
    const spoke = endWhenSilent(socket, this.#context, connection.info, null);
    const first = await firstBytes(socket, Buffer.alloc(0), null);
    spoke();
    if (!first) {
      socket.destroy();
      return;
    }
    switch (first.spoken) {
      case 'http1':
      case 'http2':
        this.#faces.serve(socket, connection, first.spoken, first.bytes);
        return;
      case 'tls':
        await this.#secureProxy(socket, connection, first.bytes);
        return;
      case 'socks':
        recordFailure(this.#context, connection.info, null, failure('client.socks', {}));
        break;
      default:
        recordFailure(
          this.#context,
          connection.info,
          null,
          failure('client.not-http', { detail: describeBytes(first.bytes) }),
        );
    }
    socket.destroy();
  }

  /** Serves a client that connects to the proxy over TLS (an "HTTPS proxy" in PAC files). */
  async #secureProxy(socket: Socket, connection: ClientConnection, ahead: Buffer): Promise<void> {
    const host = socket.localAddress ?? 'localhost';
    const { clientSilence } = this.#context.limits;
    try {
      const hello = await readHello(socket, ahead, host, clientSilence);
      const leaf = this.#context.leaves.contextFor(host.replace(/^::ffff:/, ''), hello.serverName);
      const alpn = hello.alpn.includes('http/1.1') ? 'http/1.1' : null;
      const secure = await terminateTls(socket, leaf, alpn, host, clientSilence);
      connection.info.tls = tlsInfoOf(secure, hello.serverName, false);
      this.#faces.serve(secure, connection, 'http1', Buffer.alloc(0));
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
