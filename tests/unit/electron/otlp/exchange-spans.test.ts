import { describe, expect, it } from 'vitest';
import { exchangeSpans } from '../../../../electron/otlp/exchange-spans.ts';
import type { KeyValue, OtlpSpan } from '../../../../electron/otlp/otlp-json.ts';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../support/example-exchange.ts';

const CHOICE = { session: '7f3c1f0e-2a51-4b6e-9d55-0c2f6f1c9a11', unsampled: false };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const REFUSED = { code: 'upstream.refused', side: 'upstream', message: 'Refused.', cause: null } as const;

function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Milliseconds after the exchange's start, and the name. */
function placeOf({ name, startTimeUnixNano, endTimeUnixNano }: OtlpSpan): [string, number, number] {
  const at = (nanos: string) => Number(BigInt(nanos) / 1000n) / 1000;
  return [name, at(startTimeUnixNano), at(endTimeUnixNano)];
}

const TWO_ATTEMPTS = exampleExchange({
  startedAt: 0,
  request: {
    ...{ method: 'GET', scheme: 'https', authority: 'api.test', host: 'api.test', port: 443 },
    path: '/users/17?page=2&X-Amz-Signature=abc&sig=def',
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
  const spans = exchangeSpans(TWO_ATTEMPTS, CHOICE);
  const [first, last] = spans;

  it('are a client span for each attempt, in the trace that the request names', () => {
    expect(spans.filter(({ kind }) => kind === 3)).toHaveLength(2);
    for (const span of [first, last])
      expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: 'a=b', name: 'GET /users/{id}' });
    expect(first).toMatchObject({ status: { code: 2, message: 'Refused.' } });
    expect(last).toMatchObject({ status: { code: 2 } });
  });

  it('have the attributes of the conventions, without signatures', () => {
    expect(valuesOf(last?.attributes ?? [])).toMatchObject({
      'http.request.method': 'GET',
      'server.address': 'api.test',
      'server.port': '443',
      'url.full': 'https://api.test/users/17?page=2&X-Amz-Signature=REDACTED&sig=REDACTED',
      'url.template': '/users/{id}',
      'http.response.status_code': '503',
      'error.type': '503',
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'network.peer.address': '127.0.0.1',
      'network.peer.port': '443',
      'http.request.resend_count': '1',
    });
    expect(valuesOf(first?.attributes ?? [])).toMatchObject({ 'error.type': 'upstream.refused' });
    expect(valuesOf(first?.attributes ?? [])).not.toHaveProperty('http.response.status_code');
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
    expect(exchangeSpans(unsampled, CHOICE)).toEqual([]);
    expect(exchangeSpans(unsampled, { ...CHOICE, unsampled: true })).not.toEqual([]);
  });

  it('of tunnels, and of exchanges that never went upstream', () => {
    expect(exchangeSpans({ ...TWO_ATTEMPTS, kind: 'tunnel' }, CHOICE)).toEqual([]);
    const answered = { index: 0, name: 'tea', actions: ['answer'], problem: null };
    expect(exchangeSpans({ ...TWO_ATTEMPTS, attempts: [], rules: [answered] }, CHOICE)).toEqual([]);
    expect(exchangeSpans({ ...TWO_ATTEMPTS, attempts: [], response: null }, CHOICE)).toEqual([]);
  });
});

it('an exchange from a file that names no attempts is one', () => {
  const spans = exchangeSpans({ ...TWO_ATTEMPTS, attempts: [] }, CHOICE);
  const [client, ...others] = spans.filter(({ kind }) => kind === 3);
  expect(others).toEqual([]);
  expect(placeOf(client as OtlpSpan)).toEqual(['GET /users/{id}', 0, 62]);
  expect(spans.map(({ name }) => name)).toContain('HTTP wait_for_response');
});

it('a cancelled exchange has no status', () => {
  const [, last] = exchangeSpans({ ...TWO_ATTEMPTS, state: 'aborted' }, CHOICE);
  expect(last).not.toHaveProperty('status');
});
