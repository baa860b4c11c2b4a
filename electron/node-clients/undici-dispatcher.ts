import { EventEmitter } from 'node:events';
import type net from 'node:net';
import tls from 'node:tls';
import { type ProxyChoice, withoutBrackets } from './proxy-choice.ts';
import { openTunnel } from './tunnel.ts';

/** Where every copy of undici, Node's own and installed ones, keeps the default dispatcher of requests. */
const SLOTS: readonly [name: string, alpn: string[]][] = [
  ['undici.globalDispatcher.1', ['http/1.1']],
  // undici 8, which offers HTTP/2.
  ['undici.globalDispatcher.2', ['http/1.1', 'h2']],
];

/** undici's own timeout for opening a connection, TLS included. Milliseconds. */
const CONNECT_TIME = 10_000;

interface ConnectOptions {
  hostname: string;
  protocol: string;
  port: string;
  servername?: string | null;
}
type Connected = (error: Error | null, socket: net.Socket | null) => void;
type Connector = (options: ConnectOptions, done: Connected) => void;

interface Agent {
  constructor: new (options: { connect: Connector }) => Agent;
  dispatch(options: { origin?: string | URL }, handler: unknown): boolean;
  close(...args: unknown[]): unknown;
  destroy(...args: unknown[]): unknown;
}

function isAgent(value: object): value is Agent {
  return 'dispatch' in value && typeof value.dispatch === 'function' && value.constructor.name === 'Agent';
}

function targetOf(origin: string | URL) {
  const { protocol, hostname, port } = new URL(String(origin));
  const secure = protocol === 'https:';
  return { secure, host: withoutBrackets(hostname), port: Number(port || (secure ? 443 : 80)) };
}

/** Ends a connection that takes too long with undici's own error. Returns a function that cancels the timeout. */
function limited(socket: net.Socket, host: string): () => void {
  const late = Object.assign(new Error(`Connect Timeout Error (${host}, timeout: ${CONNECT_TIME}ms)`), {
    name: 'ConnectTimeoutError',
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
  const timer = setTimeout(() => socket.destroy(late), CONNECT_TIME);
  return () => clearTimeout(timer);
}

/** Keeps TLS sessions by server name: like undici's own connections, later ones then need no full handshake. */
function secureConnector(alpn: string[]) {
  const sessions = new Map<string, Buffer>();
  return (tunnel: net.Socket, host: string, servername: string | null | undefined, done: Connected): void => {
    const key = servername || host;
    const session = sessions.get(key);
    const socket = tls.connect({
      socket: tunnel,
      host,
      ...(servername ? { servername } : {}),
      ...(session ? { session } : {}),
      ALPNProtocols: alpn,
    });
    const callOff = limited(socket, host);
    const failed = (error: Error): void => {
      callOff();
      sessions.delete(key);
      done(error, null);
    };
    socket.on('session', (ticket) => sessions.set(key, ticket)).once('error', failed);
    socket.once('secureConnect', () => {
      callOff();
      socket.removeListener('error', failed);
      done(null, socket);
    });
  };
}

function connectorOf(choose: ProxyChoice, alpn: string[]): Connector {
  const secure = secureConnector(alpn);
  return ({ hostname, protocol, port, servername }, done) => {
    const target = targetOf(`${protocol}//${hostname}${port ? `:${port}` : ''}`);
    const proxy = choose(target);
    if (proxy === null) throw new TypeError(`No proxy is set for ${hostname}`);
    openTunnel(proxy, target, (error, tunnel) => {
      if (tunnel === undefined) done(error, null);
      else if (target.secure) secure(tunnel.setKeepAlive(true, 60_000), target.host, servername, done);
      else done(null, tunnel.setKeepAlive(true, 60_000));
    });
  };
}

/** The agent itself handles direct requests; a second agent of the same class handles the tunnels. */
function tunnelAgent(agent: Agent, choose: ProxyChoice, alpn: string[]): void {
  const { dispatch } = agent;
  let tunnels: Agent | null = null;
  agent.dispatch = (options, handler) => {
    if (!options.origin || choose(targetOf(options.origin)) === null) return dispatch.call(agent, options, handler);
    tunnels ??= new agent.constructor({ connect: connectorOf(choose, alpn) });
    return tunnels.dispatch(options, handler);
  };
  for (const end of ['close', 'destroy'] as const) {
    const own = agent[end];
    agent[end] = (...args) => {
      if (tunnels !== null) Promise.resolve(tunnels[end]()).catch(() => undefined);
      return own.apply(agent, args);
    };
  }
}

/**
 * Gets hold of the `Agent` that a copy of undici creates when it is loaded and finds its slot empty. Node does not
 * export the class. But an `Agent` is an event emitter: the one created right after the slot is read can be caught in
 * `EventEmitter.init`, which Node's `domain` replaces too. Nothing is loaded before the program itself loads it.
 */
function meetAgent(met: (agent: Agent) => void): void {
  const emitter = EventEmitter as unknown as { init: (this: object, options?: unknown) => void };
  const { init } = emitter;
  const restore = (): void => {
    if (emitter.init === meeting) emitter.init = init;
  };
  function meeting(this: object, options?: unknown): void {
    init.call(this, options);
    if (!isAgent(this)) return;
    restore();
    met(this);
  }
  emitter.init = meeting;
  queueMicrotask(restore);
}

/** Covers the dispatchers that undici creates. One that the program sets, or passes to a request, is not changed. */
export function tunnelDefaultDispatchers(choose: ProxyChoice): void {
  for (const [name, alpn] of SLOTS) {
    const slot = Symbol.for(name);
    // Node 24 before 24.5 has already filled it, because of NODE_USE_ENV_PROXY.
    if (Object.getOwnPropertyDescriptor(globalThis, slot)) continue;
    Object.defineProperty(globalThis, slot, {
      configurable: true,
      get: () => {
        meetAgent((agent) => tunnelAgent(agent, choose, alpn));
        return undefined;
      },
      set: (value: unknown) => Object.defineProperty(globalThis, slot, { value, writable: true, configurable: true }),
    });
  }
}
