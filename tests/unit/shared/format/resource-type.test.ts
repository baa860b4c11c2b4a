import { expect, test } from 'vitest';
import { resourceType } from '../../../../shared/format/resource-type.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

test.each([
  [['Sec-Fetch-Dest', 'document'], 'text/html', 'document'],
  [['Sec-Fetch-Dest', 'empty'], 'application/json', 'fetch'],
  [['Sec-Fetch-Dest', 'empty', 'Sec-Fetch-Mode', 'cors'], 'image/png', 'fetch'],
  [['Sec-Fetch-Dest', 'empty', 'Sec-Fetch-Mode', 'no-cors'], 'image/png', 'image'],
  [['Sec-Fetch-Dest', 'empty', 'Sec-Fetch-Mode', 'no-cors'], 'text/css', 'stylesheet'],
  [['Sec-Fetch-Dest', 'empty', 'Sec-Fetch-Mode', 'navigate'], 'text/html', 'document'],
  [['Sec-Fetch-Dest', 'empty', 'Sec-Fetch-Mode', 'cors'], 'font/woff2', 'font'],
  [['Sec-Fetch-Dest', 'style'], 'text/plain', 'stylesheet'],
  [['Sec-Fetch-Dest', 'empty'], 'text/event-stream', 'eventsource'],
  [['X-Requested-With', 'XMLHttpRequest'], 'text/html', 'xhr'],
  [[], 'text/html; charset=utf-8', 'document'],
  [[], 'application/x-javascript', 'script'],
  [[], 'image/svg+xml', 'image'],
  [[], 'font/woff2', 'font'],
  [[], 'video/mp4', 'media'],
  [[], 'application/problem+json', 'fetch'],
  [[], 'application/octet-stream', 'other'],
  [['Sec-Fetch-Dest', 'constructor'], '', 'other'],
])('%j, %s: %s', (headers, type, expected) => {
  const exchange = exampleExchange({
    request: { headers },
    response: { headers: type === '' ? [] : ['Content-Type', type] },
  });
  expect(resourceType(exchange)).toBe(expected);
});

test('preflights and upgrades', () => {
  const headers = ['Access-Control-Request-Method', 'PUT', 'Sec-Fetch-Dest', 'empty'];
  expect(resourceType(exampleExchange({ request: { method: 'OPTIONS', headers } }))).toBe('preflight');
  expect(resourceType(exampleExchange({ kind: 'upgrade' }))).toBe('websocket');
  expect(resourceType(exampleExchange({ response: null }))).toBe('other');
});
