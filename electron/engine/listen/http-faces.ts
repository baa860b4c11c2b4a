import type { Socket } from 'node:net';
import { answerCheck } from '../check/check-responses.ts';
import { answerDevice } from '../check/device-page.ts';
import { noteClientEnd } from '../connection-ending.ts';
import type { EngineContext } from '../engine-context.ts';
import { ExchangeDriver } from '../exchange/driver.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import { H1Client, type H1ClientHandlers } from '../http/h1-client.ts';
import { serveHttp2 } from '../http/h2-client.ts';
import { recordFailure } from '../tunnel/tunnel-record.ts';

/** Takes over a client's socket after its CONNECT. */
export type ConnectHandler = (
  socket: Socket,
  connection: ClientConnection,
  ...request: Parameters<H1ClientHandlers['connect']>
) => void;

/** The HTTP/1.1 and HTTP/2 servers for clients, and the driver they share. */
export class HttpFaces {
  readonly #context: EngineContext;
  /** Set by the engine, which creates both objects. */
  connect: ConnectHandler = (socket) => socket.destroy();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Serves HTTP on a socket. `ahead`: bytes already read from it. */
  serve(socket: Socket, connection: ClientConnection, spoken: 'http1' | 'http2', ahead: Buffer): void {
    const context = this.#context;
    if (spoken === 'http1') noteClientEnd(socket, connection.info);
    socket.once('close', () => {
      connection.closed = true;
      context.observer.connectionEnded('client', connection.info);
    });
    const handlers = {
      stream: (stream: ConstructorParameters<typeof ExchangeDriver>[1]) => {
        connection.accepted?.();
        if (answerCheck(stream, context.sighted)) return;
        const { host, port } = stream.head;
        const step = connection.context.scheme === 'https' ? 'secure-request' : 'request';
        connection.programPort?.saw(step, host, connection.info.remoteAddress);
        if (context.forDevices && context.isOurs(host, port)) answerDevice(stream, context.forDevices);
        else new ExchangeDriver(context, stream).start();
      },
      problem: (about: Parameters<typeof recordFailure>[3]) => {
        const { target } = connection.context;
        const request = target && { ...target, headers: [], headSize: 0, version: 'HTTP/1.1', at: performance.now() };
        recordFailure(context, connection.info, request, about);
      },
    };
    if (spoken === 'http2') {
      connection.info.protocol = 'h2';
      if (ahead.length > 0) socket.unshift(ahead);
      const { target } = connection.context;
      serveHttp2(socket, connection, context.limits, {
        ...handlers,
        whenExtendedConnect: (tell) => (target ? context.pool.whenExtendedConnect(target, tell) : () => undefined),
      });
      return;
    }
    const client = new H1Client(socket, connection, context.limits, {
      ...handlers,
      connect: (head, ahead) => this.connect(socket, connection, head, ahead),
    });
    client.start(ahead);
  }
}
