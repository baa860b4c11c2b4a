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
 * The agent of requests that name none. It stays the same object with the same pool; only its connections come out of tunnels,
 * also those for plain HTTP: the request's bytes are then what they would be without a proxy. A socket path, or a lookup by the program
 * (a name that only it knows), goes its own way, and so does a caller that waits for no callback.
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
      // With a socket that is there already tls.connect sets no time limit.
      const stream = secure ? (direct.call(agent, { ...options, socket: tunnel }) as Socket) : tunnel;
      if (options.timeout) stream.setTimeout(options.timeout);
      done(null, stream);
    });
    return undefined;
  };
}
