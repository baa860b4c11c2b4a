import { describe, expect, it } from 'vitest';
import { recordedRequest } from '../../../../../../electron/commands/services/replay/recorded-request.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

describe('a recorded request', () => {
  it('goes to the same place, with the same fields', () => {
    const exchange = exampleExchange({ id: 7 });
    expect(recordedRequest(exchange, 's1')).toMatchObject({
      ...{ host: 'api.test', port: 443, path: '/v1/items?page=2', headers: exchange.request.headers },
      ...{ version: 'HTTP/1.1', serverName: 'api.test', alpn: ['http/1.1'], rules: true, route: 'configured' },
      replayOf: { session: 's1', exchange: 7 },
    });
  });

  it('offers no ALPN if the client offered none', () => {
    const { client, upstream } = exampleExchange();
    const tls = upstream?.tls && { ...upstream.tls, alpn: null };
    const exchange = exampleExchange({ client: { ...client, tls: tls ?? null } });
    expect(recordedRequest(exchange, 's1').alpn).toEqual([]);
  });

  it('gets the fields that a HAR of another program lacks', () => {
    const headers = ['Host', 'api.test', 'Accept', '*/*', 'Connection', 'keep-alive'];
    const exchange = exampleExchange({ request: { httpVersion: 'HTTP/2.0', headers } });
    const pseudo = [':method', 'GET', ':authority', 'api.test', ':scheme', 'https', ':path', '/v1/items?page=2'];
    expect(recordedRequest(exchange, 's').headers).toEqual([...pseudo, 'accept', '*/*']);
    const nameless = exampleExchange({ request: { headers: ['Accept', '*/*'] } });
    expect(recordedRequest(nameless, 's').headers).toEqual(['Host', 'api.test', 'Accept', '*/*']);
  });

  it('is sent completely or not sent', () => {
    const cut = exampleExchange({ id: 3, request: { body: { size: 30_000_000, stored: 20_000_000, complete: true } } });
    expect(() => recordedRequest(cut, 's')).toThrow(
      "Exchange 3 can't be sent again: only 19 MB of its request body's 29 MB were kept. Edit the request and give " +
        'it another body.',
    );
    const short = exampleExchange({ id: 4, request: { body: { size: 10, stored: 10, complete: false } } });
    expect(() => recordedRequest(short, 's')).toThrow('its client did not send the whole request body');
  });

  it.each([
    ['upgrade', 'a WebSocket or another protocol'],
    ['tunnel', 'a tunnel'],
    ['connection', 'a connection without a request'],
  ] as const)('must be one of HTTP, not of a %s', (kind, what) => {
    const exchange = exampleExchange({ id: 9, kind });
    expect(() => recordedRequest(exchange, 's')).toThrow(
      `Exchange 9 can't be sent again: it is ${what}. Only HTTP requests can.`,
    );
  });
});
