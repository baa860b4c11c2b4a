import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressOf } from '../origin.ts';
import { askProxy, type ConnectResponse } from './connect-response.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/** A connection to an HTTP proxy that can be asked for a tunnel. */
export interface ProxyLine {
  /** Asks for a tunnel to `host:port`, and sends `authorization` if it is not null. Rejects with a ConnectionError. */
  ask(target: string, authorization: string | null): Promise<ConnectResponse>;
  /** The tunnel's stream, once the proxy has accepted it. */
  readonly tunnel: Duplex;
  /** Whether the request that follows this verdict may use the same line. */
  staysFor(verdict: 'again' | 'reconnect'): boolean;
  /** Opens another line to replace this one. Rejects with a ConnectionError. */
  reopen(): Promise<ProxyLine>;
  destroy(): void;
}

/** How to open a connection to a proxy, and how long each of its responses may take, in milliseconds. */
export interface LineOptions {
  proxy: UpstreamProxy;
  timeLimit: number;
}

/** HTTP/1.1: the connection becomes the tunnel (RFC 9110, section 9.3.6). */
export class SocketLine implements ProxyLine {
  readonly tunnel: Socket;
  readonly #options: LineOptions;
  readonly reopen: () => Promise<ProxyLine>;

  constructor(socket: Socket, options: LineOptions, reopen: () => Promise<ProxyLine>) {
    this.tunnel = socket;
    this.#options = options;
    this.reopen = reopen;
  }

  /**
   * Some proxies close after their challenge without saying so. A login that is lost with the connection is not sent
   * again: it goes over a new connection, except in a handshake that is bound to this one.
   */
  staysFor(verdict: 'again' | 'reconnect'): boolean {
    return verdict === 'again';
  }

  ask(target: string, authorization: string | null): Promise<ConnectResponse> {
    const { proxy, timeLimit } = this.#options;
    const field = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    const request = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${field}\r\n`;
    return askProxy(this.tunnel, request, addressOf(proxy), timeLimit);
  }

  destroy(): void {
    this.tunnel.destroy();
  }
}
