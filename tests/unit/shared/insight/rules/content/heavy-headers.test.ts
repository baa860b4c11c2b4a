import { describe, expect, it } from 'vitest';
import { heavyHeaders } from '../../../../../../shared/insight/rules/content/heavy-headers.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const cookies = (bytes: number): ExampleFact => ({
  request: { Cookie: 'x'.repeat(bytes) },
  heads: { request: bytes + 100 },
});

describe('heavy-headers', () => {
  it('reports cookies of 4 KB on five requests', () => {
    const facts = exampleFacts(5, () => ({ ...cookies(4096), protocol: 'http/1.1' }));
    expect(foundBy(heavyHeaders, facts)).toMatchObject([{ bytes: 5 * 4096, severity: 'medium' }]);
  });

  it('reports other fields of 8 KB, and says what HTTP/2 does to them', () => {
    const found = foundBy(
      heavyHeaders,
      exampleFacts(5, () => ({ heads: { request: 8192, response: 8192 } })),
    );
    expect(found.map(({ severity }) => severity)).toEqual(['low', 'low']);
    expect(found[0]?.detail).toContain('HTTP/2 compresses');
  });

  it.each([
    ['four requests', exampleFacts(4, () => cookies(4096))],
    ['smaller cookies', exampleFacts(9, () => cookies(4095))],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(heavyHeaders, facts)).toEqual([]);
  });
});
