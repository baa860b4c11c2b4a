import { describe, expect, it } from 'vitest';
import { sequentialChain } from '../../../../../../shared/insight/rules/server/sequential-chain.ts';
import { exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const PATHS = ['/users', '/orders', '/prices', '/stock'];
const chain = (count: number, wait: number, gap = 10, paths = PATHS) =>
  exampleFacts(count, (index) => ({
    wait,
    at: index * (wait + gap),
    path: paths[index % paths.length] ?? '/',
    dest: 'empty',
  }));

describe('sequential-chain', () => {
  it('reports slow requests that went out one after the other', () => {
    expect(foundBy(sequentialChain, chain(4, 700))).toMatchObject([{ costMs: 2100, confidence: 'medium' }]);
  });

  it('knows that a client has a response a little before its end is noted', () => {
    expect(foundBy(sequentialChain, chain(4, 700, -3))).toHaveLength(1);
  });

  it.each([
    ['too little time', chain(4, 660)],
    ['fast requests', chain(20, 499)],
    ['two requests', chain(2, 5000)],
    ['pauses', chain(4, 700, 500)],
    ['requests that overlap', chain(4, 700, -100)],
    ['polling', chain(9, 700, 10, ['/poll'])],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(sequentialChain, facts)).toEqual([]);
  });
});
