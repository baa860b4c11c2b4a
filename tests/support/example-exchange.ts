import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { RequestMessage, ResponseMessage } from '../../shared/model/message.ts';
import { NO_TIMINGS, type Timings } from '../../shared/model/timings.ts';

type Part<T> = { [K in keyof T]?: T[K] };

export interface ExampleExchange extends Part<Omit<Exchange, 'request' | 'response' | 'timings'>> {
  request?: Part<RequestMessage>;
  /** Null: none came. */
  response?: Part<ResponseMessage> | null;
  timings?: Part<Timings>;
}

export const EXAMPLE_CLIENT: ConnectionInfo = {
  id: 1,
  protocol: 'http/1.1',
  localAddress: '127.0.0.1:8080',
  remoteAddress: '127.0.0.1:50123',
  reused: false,
  tls: null,
  via: null,
};

export const EXAMPLE_UPSTREAM: ConnectionInfo = {
  id: 2,
  protocol: 'http/1.1',
  localAddress: '127.0.0.1:50124',
  remoteAddress: '127.0.0.1:443',
  reused: false,
  tls: {
    version: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: 'http/1.1',
    serverName: 'api.test',
    resumed: false,
    certificate: null,
  },
  via: null,
};

export const EXAMPLE_TIMINGS: Timings = {
  blocked: 0.1,
  failedTries: -1,
  rules: -1,
  rulesResponse: -1,
  rulesSend: -1,
  dns: 1,
  connect: 30.5,
  ssl: 20.25,
  send: 0.05,
  wait: 73,
  receive: 4.125,
  overheadRequest: 0.08,
  overheadResponse: 0.03,
  unsplit: -1,
};

function exampleRequest(): RequestMessage {
  return {
    method: 'GET',
    scheme: 'https',
    authority: 'api.test',
    host: 'api.test',
    port: 443,
    path: '/v1/items?page=2',
    httpVersion: 'HTTP/1.1',
    headers: ['Host', 'api.test', 'Accept', 'application/json', 'User-Agent', 'example/1.0'],
    trailers: [],
    headSize: 90,
    body: { size: 0, stored: 0, complete: true },
  };
}

function exampleResponse(): ResponseMessage {
  return {
    status: 200,
    statusText: 'OK',
    httpVersion: 'HTTP/1.1',
    headers: ['Content-Type', 'application/json; charset=utf-8', 'Server', 'example'],
    trailers: [],
    headSize: 80,
    body: { size: 0, stored: 0, complete: true },
    informational: [],
  };
}

/** A complete, ordinary exchange except for the given parts. It shares nothing with another one. */
export function exampleExchange(of: ExampleExchange = {}): Exchange {
  const { request, response, timings, ...rest } = of;
  const upstream = { ...EXAMPLE_UPSTREAM };
  return {
    id: 1,
    revision: 1,
    kind: 'http',
    state: 'complete',
    startedAt: 1_790_000_000_000.125,
    client: { ...EXAMPLE_CLIENT },
    upstream,
    attempts: [{ startedAfter: 0.1, duration: 108, connection: upstream, failure: null, retryReason: null }],
    failure: null,
    rules: [],
    sent: null,
    received: null,
    mark: null,
    messageEdits: null,
    replayOf: null,
    route: null,
    ...rest,
    request: { ...exampleRequest(), ...request },
    response: response === null ? null : { ...exampleResponse(), ...response },
    timings: of.response === null ? { ...NO_TIMINGS, ...timings } : { ...EXAMPLE_TIMINGS, ...timings },
  };
}
