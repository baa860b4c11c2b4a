import { expect, it } from 'vitest';
import { slowDns } from '../../../../../../shared/insight/rules/connection/slow-dns.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

it('reports a lookup of 200 ms, and no shorter one', () => {
  const facts = [
    exampleFact({ timings: { dns: 200 } }),
    exampleFact({ timings: { dns: 199 }, origin: 'https://b.test' }),
  ];
  expect(foundBy(slowDns, facts)).toMatchObject([{ where: 'api.test', costMs: 200, exchanges: [facts[0]?.id] }]);
});

it('does not report names of this machine: a busy one answers them late', () => {
  const local = ['http://localhost', 'http://shop.localhost'];
  const facts = local.map((origin) => exampleFact({ timings: { dns: 800 }, origin }));
  expect(foundBy(slowDns, facts)).toEqual([]);
});
