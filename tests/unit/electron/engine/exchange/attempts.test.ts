import { expect, it } from 'vitest';
import { Attempts } from '../../../../../electron/engine/exchange/attempts.ts';
import { failure } from '../../../../../electron/failures/errors.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';

const REFUSED = failure('upstream.refused', { address: 'a.test:443' });
const RESET = failure('upstream.reset', { address: 'a.test:443' });

it('shows each try with its time from the start, its connection, and why another followed', () => {
  const exchange = { ...exampleExchange(), attempts: [] };
  const attempts = new Attempts(exchange, 1000);
  attempts.connectingFailed([{ startedAt: 1001, endedAt: 1003.5, failure: REFUSED }]);
  attempts.begin(1100, EXAMPLE_UPSTREAM);
  attempts.end(RESET, 'reused-connection-closed');
  attempts.begin(1200, EXAMPLE_UPSTREAM);
  attempts.end(null, null);
  expect(exchange.attempts).toMatchObject([
    { startedAfter: 1, duration: 2.5, connection: null, failure: REFUSED, retryReason: 'connecting-failed' },
    { startedAfter: 100, connection: EXAMPLE_UPSTREAM, failure: RESET, retryReason: 'reused-connection-closed' },
    { startedAfter: 200, connection: EXAMPLE_UPSTREAM, failure: null, retryReason: null },
  ]);
});

it('an end without a try, or a second one, changes nothing', () => {
  const exchange = { ...exampleExchange(), attempts: [] };
  const attempts = new Attempts(exchange, 1000);
  attempts.end(RESET, null);
  attempts.begin(1000, null);
  attempts.end(null, null);
  attempts.end(RESET, null);
  expect(exchange.attempts).toMatchObject([{ failure: null }]);
});

it('a connection begun before the request came did not begin before it', () => {
  const exchange = { ...exampleExchange(), attempts: [] };
  new Attempts(exchange, 1000).begin(900, null);
  expect(exchange.attempts).toMatchObject([{ startedAfter: 0 }]);
});
