import { expect, it } from 'vitest';
import { ChangedExchanges } from '../../../../../electron/engine/record/changed-exchanges.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

it('gives each open exchange once, a few at a time, and none that has ended', () => {
  const changed = new ChangedExchanges();
  const open = [1, 2, 3].map((id) => exampleExchange({ id, state: 'open' }));
  const ended = exampleExchange({ id: 4, state: 'open' });
  for (const each of [...open, ended, ...open]) changed.add(each);
  ended.state = 'complete';
  expect(changed.take(2).map(({ id }) => id)).toEqual([1, 2]);
  expect(changed.take(2).map(({ id }) => id)).toEqual([3]);
  expect(changed.size).toBe(0);
});

it('does not grow by those that end', () => {
  const changed = new ChangedExchanges();
  const open = exampleExchange({ id: 1, state: 'open' });
  changed.add(open);
  for (let id = 2; id < 10_000; id += 1) changed.add(exampleExchange({ id, state: 'complete' }));
  expect(changed.size).toBeLessThan(300);
  expect(changed.take(10)).toEqual([open]);
});
