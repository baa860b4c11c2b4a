import { expect, it } from 'vitest';
import { hasWholeBody } from '../../../../../electron/engine/exchange/whole-body.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

it.each([
  ['a GET with all of its bytes', 'GET', 200, ['content-length', '3'], 3, true],
  ['a GET with some of them', 'GET', 200, ['content-length', '4'], 3, false],
  ['a GET without a length', 'GET', 200, [], 3, false],
  ['an empty body', 'GET', 200, ['content-length', '0'], 0, true],
  ['a response to HEAD, whatever its length says', 'HEAD', 200, ['content-length', '9'], 0, true],
  ['204', 'GET', 204, [], 0, true],
  ['304 with a length', 'GET', 304, ['content-length', '9'], 0, true],
])('%s', (_name, method, status, headers, size, whole) => {
  const exchange = exampleExchange();
  if (!exchange.response) throw new Error('an example without a response');
  const response = { ...exchange.response, status, headers, body: { ...exchange.response.body, size } };
  expect(hasWholeBody({ request: { ...exchange.request, method }, response })).toBe(whole);
});

it('no response', () => {
  expect(hasWholeBody({ request: exampleExchange().request, response: null })).toBe(false);
});
