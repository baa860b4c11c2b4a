import { describe, expect, it } from 'vitest';
import { ExchangeSpans } from '../../../../electron/otlp/exchange-spans.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../support/example-exchange.ts';
import { type ReadSpan, resourceIn, spansIn } from '../../../support/otlp-request.ts';

const RESOURCE = { session: '7f3c1f0e-2a51-4b6e-9d55-0c2f6f1c9a11', version: '1.2.3' };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const REFUSED = { code: 'upstream.refused', side: 'upstream', message: 'Refused.', cause: null } as const;

/** The parameters that the conventions name, and Amazon's newer one. */
const SIGNATURES = ['X-Amz-Signature', 'sig', 'AWSAccessKeyId', 'X-Goog-Signature', 'Signature'];

/** Milliseconds after the exchange's start, and the name. */
function placeOf({ name, start, end }: ReadSpan): [string | undefined, number, number] {
  return [name, start, end];
}

function exchangeSpans(exchange: Exchange, unsampled = false): ReadSpan[] {
  const spans = new ExchangeSpans(RESOURCE, unsampled);
  spans.add(exchange);
  const request = spans.take();
  return request === null ? [] : spansIn(request.bytes);
}

const TWO_ATTEMPTS = exampleExchange({
  startedAt: 0,
  request: {
    ...{ method: 'GET', scheme: 'https', authority: 'api.test', host: 'api.test', port: 443 },
    path: `/users/17?page=2${SIGNATURES.map((name) => `&${name}=abc`).join('')}`,
    headers: ['traceparent', `00-${TRACE}-${PARENT}-01`, 'tracestate', 'a=b'],
  },
  response: { status: 503 },
  attempts: [
    { startedAfter: 0, duration: 10, connection: null, failure: REFUSED, retryReason: 'connect-refused' },
    { startedAfter: 12, duration: 50, connection: EXAMPLE_UPSTREAM, failure: null, retryReason: null },
  ],
  timings: { ...NO_TIMINGS, blocked: 13, failedTries: 12, dns: 2, connect: 20, ssl: 15, send: 1, wait: 20, receive: 6 },
});

describe('the spans of an exchange', () => {
  const spans = exchangeSpans(TWO_ATTEMPTS);
  const [first, last] = spans;

  it('are a client span for each attempt, in the trace that the request names', () => {
    expect(spans.filter(({ kind }) => kind === 3)).toHaveLength(2);
    for (const span of [first, last])
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: 'a=b', name: 'GET /users/{id}' });
    expect(first).toMatchObject({ status: { code: 2, message: 'Refused.' } });
    expect(last).toMatchObject({ status: { code: 2 } });
  });

  it('have the attributes of the conventions, without signatures', () => {
    expect(last?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'server.address': 'api.test',
      'server.port': 443,
      'url.full': `https://api.test/users/17?page=2${SIGNATURES.map((name) => `&${name}=REDACTED`).join('')}`,
      'url.template': '/users/{id}',
      'http.response.status_code': 503,
      'error.type': '503',
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'network.peer.address': '127.0.0.1',
      'network.peer.port': 443,
      'http.request.resend_count': 1,
    });
    expect(first?.attributes).toMatchObject({ 'error.type': 'upstream.refused' });
    expect(first?.attributes).not.toHaveProperty('http.response.status_code');
  });

  it('name a method that the conventions do not list HTTP, and keep it as an attribute', () => {
    const [span] = exchangeSpans({ ...TWO_ATTEMPTS, request: { ...TWO_ATTEMPTS.request, method: 'FROB' } });
    expect(span?.name).toBe('HTTP /users/{id}');
    expect(span?.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'FROB',
    });
    expect(first?.attributes).not.toHaveProperty('http.request.method_original');
  });

  it('have the phases of the last attempt as children, in sequence', () => {
    const phases = spans.filter(({ kind }) => kind === 1);
    expect(phases.map(placeOf)).toEqual([
      ['HTTP wait_for_connection', 12, 13],
      ['HTTP connection_setup', 13, 35],
      ['DNS lookup', 13, 15],
      ['socket connect', 15, 20],
      ['TLS client handshake', 20, 35],
      ['HTTP send_request', 35, 36],
      ['HTTP wait_for_response', 36, 56],
      ['HTTP receive_response', 56, 62],
    ]);
    const setup = phases.find(({ name }) => name === 'HTTP connection_setup');
    expect(phases.filter(({ parentSpanId }) => parentSpanId === setup?.spanId)).toHaveLength(3);
    expect(phases.filter(({ parentSpanId }) => parentSpanId === last?.spanId)).toHaveLength(5);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });
});

describe('no spans', () => {
  const { request } = TWO_ATTEMPTS;
  const unsampled = {
    ...TWO_ATTEMPTS,
    request: { ...request, headers: ['traceparent', `00-${TRACE}-${PARENT}-00`] },
  };

  it('of traces that are not sampled, unless wanted', () => {
    expect(exchangeSpans(unsampled)).toEqual([]);
    expect(exchangeSpans(unsampled, true)).not.toEqual([]);
  });

  it('of tunnels, and of exchanges that never went upstream', () => {
    expect(exchangeSpans({ ...TWO_ATTEMPTS, kind: 'tunnel' })).toEqual([]);
    const answered = { index: 0, name: 'tea', actions: ['answer'], problem: null };
    expect(exchangeSpans({ ...TWO_ATTEMPTS, attempts: [], rules: [answered] })).toEqual([]);
    expect(exchangeSpans({ ...TWO_ATTEMPTS, attempts: [], response: null })).toEqual([]);
  });
});

it('an attempt is what went upstream and came back, whatever rules made of it', () => {
  const changed = exampleExchange({ request: { path: '/old/1' }, response: { status: 418 } });
  const { request, response } = changed;
  const sent = {
    ...request,
    method: 'PUT',
    host: 'other.test',
    authority: 'other.test:8443',
    port: 8443,
    path: '/new/1',
  };
  const [span] = exchangeSpans({ ...changed, sent, received: response && { ...response, status: 200 } });
  expect(span).toMatchObject({ name: 'PUT /new/{id}', status: undefined });
  expect(span?.attributes).toMatchObject({
    'http.request.method': 'PUT',
    'http.response.status_code': 200,
    'url.full': 'https://other.test:8443/new/1',
    'server.address': 'other.test',
    'server.port': 8443,
  });
});

it.each([
  ['HTTP/2.0', 'http/1.1', '1.1'],
  ['HTTP/1.1', 'h2', '2'],
  ['HTTP/1.0', 'http/1.1', '1.0'],
] as const)('a client that speaks %s to a server with %s has spans of version %s', (httpVersion, protocol, version) => {
  const connection = { ...EXAMPLE_UPSTREAM, protocol };
  const attempt = { startedAfter: 0, duration: 1, failure: null, retryReason: null };
  const [span] = exchangeSpans(exampleExchange({ request: { httpVersion }, attempts: [{ ...attempt, connection }] }));
  expect(span?.attributes['network.protocol.version']).toBe(version);
});

it('an exchange from a file that names no attempts is one', () => {
  const spans = exchangeSpans({ ...TWO_ATTEMPTS, attempts: [] });
  const [client, ...others] = spans.filter(({ kind }) => kind === 3);
  expect(others).toEqual([]);
  expect(client && placeOf(client)).toEqual(['GET /users/{id}', 0, 62]);
  expect(spans.map(({ name }) => name)).toContain('HTTP wait_for_response');
});

it('an exchange from a file that tells no times has no span, and one without an overhead no zero', () => {
  const imported = { ...TWO_ATTEMPTS, attempts: [] };
  const spans = new ExchangeSpans(RESOURCE, false);
  expect(spans.add({ ...imported, timings: NO_TIMINGS })).toBe(false);
  expect(spans.untimed).toBe(1);
  expect(spans.add({ ...imported, timings: { ...NO_TIMINGS, unsplit: 40 } })).toBe(true);
  expect(spans.untimed).toBe(1);
  const [span, ...others] = spansIn(spans.take()?.bytes ?? new Uint8Array());
  expect(others).toEqual([]);
  expect(span && placeOf(span)).toEqual(['GET /users/{id}', 0, 40]);
  expect(span?.attributes).not.toHaveProperty('roundtrip.overhead_ms');
});

it('a cancelled exchange has no status', () => {
  const [, last] = exchangeSpans({ ...TWO_ATTEMPTS, state: 'aborted' });
  expect(last).toMatchObject({ kind: 3, status: undefined });
});

describe('a request', () => {
  it('has the spans added since the last one, and says who measured', () => {
    const spans = new ExchangeSpans(RESOURCE, false);
    expect(spans.take()).toBeNull();
    const ids = [1, 2].map((id) => {
      spans.add({ ...TWO_ATTEMPTS, id });
      const { bytes, spans: count } = spans.take() ?? { bytes: new Uint8Array(), spans: 0 };
      expect(spansIn(bytes)).toHaveLength(count);
      expect(resourceIn(bytes)).toMatchObject({ 'service.name': 'roundtrip', 'service.version': '1.2.3' });
      return spansIn(bytes).map(({ spanId }) => spanId);
    });
    expect(new Set(ids.flat()).size).toBe(20);
  });

  it('keeps texts of every length and alphabet, and times to the microsecond', () => {
    const path = `/${'ä'.repeat(9000)}/😀`;
    const startedAt = 1_790_000_000_123.457;
    const [span] = exchangeSpans(exampleExchange({ startedAt, request: { path }, attempts: [] }));
    expect(span?.attributes['url.full']).toBe(`https://api.test${path}`);
    expect(span?.start).toBe(startedAt);
  });

  it('describes each attempt by its own status and connection, regardless of earlier ones', () => {
    const spans = new ExchangeSpans(RESOURCE, false);
    const other = { ...EXAMPLE_UPSTREAM, id: 3, remoteAddress: '[::1]:8443' };
    const attempt = { startedAfter: 0, duration: 1, failure: null, retryReason: null };
    spans.add(exampleExchange({ id: 1, attempts: [{ ...attempt, connection: EXAMPLE_UPSTREAM }] }));
    spans.add(exampleExchange({ id: 2, attempts: [{ ...attempt, connection: other }], response: { status: 404 } }));
    const clients = spansIn(spans.take()?.bytes ?? new Uint8Array()).filter(({ kind }) => kind === 3);
    expect(clients.map(({ attributes }) => attributes)).toMatchObject([
      { 'http.response.status_code': 200, 'network.peer.address': '127.0.0.1', 'roundtrip.exchange.id': 1 },
      { 'http.response.status_code': 404, 'network.peer.address': '::1', 'roundtrip.exchange.id': 2 },
    ]);
  });
});
