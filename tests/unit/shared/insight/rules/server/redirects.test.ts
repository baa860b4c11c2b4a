import { describe, expect, it } from 'vitest';
import { redirects } from '../../../../../../shared/insight/rules/server/redirects.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const moved = (count: number, of: ExampleFact = {}) =>
  exampleFacts(count, () => ({ status: 301, response: { Location: '/new' }, path: '/old', ...of }));

describe('redirects', () => {
  it('reports any redirect of a page, and three of another address', () => {
    expect(foundBy(redirects, moved(1, { dest: 'document' }))).toMatchObject([
      { costMs: 20, detail: '/old leads to /new.' },
    ]);
    expect(foundBy(redirects, moved(1, { request: { Accept: 'text/html,*/*' } }))).toHaveLength(1);
    expect(foundBy(redirects, moved(3, { dest: 'image' }))).toHaveLength(1);
  });

  it('leaves out the opening of a connection that the next request needs', () => {
    const costOf = (Location: string) => {
      const timings = { dns: 10, connect: 50, ssl: 30 };
      return foundBy(redirects, moved(1, { dest: 'document', timings, response: { Location } }))[0]?.costMs;
    };
    expect(['/new', 'new', 'https://api.test/new', 'https://api.test'].map(costOf)).toEqual([20, 20, 20, 20]);
    expect(['https://www.test/', '//www.test/', 'http://api.test/', 'https://api.test.com/'].map(costOf)).toEqual([
      80, 80, 80, 80,
    ]);
  });

  it.each([
    ['two redirects of an image', moved(2, { dest: 'image' })],
    ['the response to a form', moved(9, { method: 'POST', status: 303, dest: 'document' })],
    ['what a browser prerenders', moved(9, { dest: 'document', request: { 'Sec-Purpose': 'prefetch;prerender' } })],
    ['304', moved(9, { status: 304, dest: 'document' })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(redirects, facts)).toEqual([]);
  });
});
