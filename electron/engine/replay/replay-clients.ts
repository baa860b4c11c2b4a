import type { Protocol } from '../../../shared/model/connection.ts';
import type { ReplayRequest } from '../../../shared/model/replay/replay-request.ts';
import type { ClientConnection } from '../http/client-stream.ts';

/** Idle clients that are kept. Each may keep its own upstream connection. */
const MOST_IDLE = 64;

const PROTOCOLS = { 'HTTP/1.0': 'http/1.0', 'HTTP/1.1': 'http/1.1', 'HTTP/2.0': 'h2' } as const;

function protocolOf({ version }: ReplayRequest): Protocol {
  return PROTOCOLS[version];
}

/**
 * The client connections on which replayed requests seem to arrive. Requests for one origin use them again, as a
 * client's keep-alive connection: each therefore has its upstream connection, which the next request finds open.
 */
export class ReplayClients {
  readonly #nextId: () => number;
  #idle: { key: string; connection: ClientConnection }[] = [];

  constructor(nextId: () => number) {
    this.#nextId = nextId;
  }

  /** Lends one for a request; `giveBack` must follow. */
  lend(request: ReplayRequest): { connection: ClientConnection; giveBack: () => void } {
    const { scheme, host, port, serverName, version, alpn } = request;
    const key = [scheme, host, port, serverName, version, alpn].join(' ');
    const at = this.#idle.findLastIndex((each) => each.key === key);
    const [known] = at < 0 ? [] : this.#idle.splice(at, 1);
    const connection = known?.connection ?? this.#make(request);
    return { connection, giveBack: () => this.#keep(key, connection) };
  }

  #keep(key: string, connection: ClientConnection): void {
    connection.info.reused = true;
    this.#idle.push({ key, connection });
    const gone = this.#idle.length > MOST_IDLE ? this.#idle.shift() : undefined;
    // Its upstream connection is then free for others.
    if (gone) gone.connection.closed = true;
  }

  #make(request: ReplayRequest): ClientConnection {
    const { scheme, host, port, serverName, alpn } = request;
    const nowhere = { localAddress: null, remoteAddress: null, tls: null, via: null };
    return {
      info: { id: this.#nextId(), protocol: protocolOf(request), reused: false, ...nowhere },
      context: { scheme, target: { host, port } },
      offeredAlpn: scheme === 'https' ? alpn : [],
      serverName,
      sticky: null,
      closed: false,
      otherMachine: false,
      programPort: null,
    };
  }
}
