import type http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ProxyChoice, withoutBrackets } from './proxy-choice.ts';
import { openTunnel } from './tunnel.ts';

type Options = http.ClientRequestArgs & { secureEndpoint?: boolean; socket?: Socket };
type Created = (error: Error | null, stream: Duplex) => void;
type CreateConnection = (options: Options, done?: Created) => Duplex | null | undefined;

function targetOf({ host, port }: Options, secure: boolean) {
  return { secure, host: withoutBrackets(host || 'localhost'), port: Number(port || (secure ? 443 : 80)) };
}

/**
 * Sends the connections of a global agent through tunnels; the agent object and its pool stay the same. Plain HTTP is
 * tunnelled too: the request's bytes then equal those without a proxy. Requests with a socket path or with the
 * program's own lookup (for a name that only it knows) connect directly, and so do callers without a callback.
 */
export function tunnelGlobalAgent(agent: http.Agent, secure: boolean, choose: ProxyChoice): void {
  const owner = agent as unknown as { createConnection: CreateConnection };
  const direct = owner.createConnection;
  owner.createConnection = function createConnection(options, done) {
    const own = options.socketPath || options.socket || options.lookup || done === undefined;
    const proxy = own ? null : choose(targetOf(options, secure));
    if (proxy === null || done === undefined) return direct.call(agent, options, done);
    openTunnel(proxy, targetOf(options, secure), (error, tunnel) => {
      if (tunnel === undefined) {
        done(error, undefined as unknown as Duplex);
        return;
      }
      // With an existing socket, tls.connect sets no timeout.
      const stream = secure ? (direct.call(agent, { ...options, socket: tunnel }) as Socket) : tunnel;
      if (options.timeout) stream.setTimeout(options.timeout);
      done(null, stream);
    });
    return undefined;
  };
}
