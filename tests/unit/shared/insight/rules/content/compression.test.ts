import { describe, expect, it } from 'vitest';
import { compression } from '../../../../../../shared/insight/rules/content/compression.ts';
import { type ExampleFact, exampleFact, foundBy } from '../../../../../support/example-fact.ts';

function factOf(size: number, gzip: number | null, of: ExampleFact = {}) {
  const measure = { decoded: size, gzip, plainMessages: 0, plainMessageBytes: 0 };
  const { response, request, ...rest } = of;
  return exampleFact({
    size,
    request: { 'Accept-Encoding': 'gzip, br', ...request },
    response: { 'Content-Type': 'text/html', ...response },
    fact: { measure },
    ...rest,
  });
}

describe('compression', () => {
  it('reports uncompressed text by what gzip makes of it', () => {
    expect(foundBy(compression, [factOf(50_000, 10_000)])).toMatchObject([{ bytes: 40_000, confidence: 'high' }]);
  });

  it('reports weak compression', () => {
    const weak = factOf(50_000, 40_000, { response: { 'Content-Encoding': 'gzip' } });
    expect(foundBy(compression, [weak])[0]?.title).toContain('could be compressed better');
  });

  it('estimates without a body only if it was large and slow', () => {
    expect(foundBy(compression, [factOf(512_000, null, { wait: 300 })])).toMatchObject([
      { bytes: 256_000, confidence: 'low' },
    ]);
    expect(foundBy(compression, [factOf(512_000, null, { wait: 299 }), factOf(511_999, null, { wait: 300 })])).toEqual(
      [],
    );
  });

  it.each([
    ['savings below 1,400 bytes', factOf(3000, 1601)],
    ['savings below a tenth', factOf(50_000, 45_001, { response: { 'Content-Encoding': 'gzip' } })],
    ['images', factOf(50_000, 10_000, { response: { 'Content-Type': 'image/png' } })],
    ['clients that take no codings', factOf(50_000, 10_000, { request: { 'Accept-Encoding': 'identity' } })],
    ['no-transform', factOf(50_000, 10_000, { response: { 'Cache-Control': 'no-transform' } })],
    ['ranges', factOf(50_000, 10_000, { request: { Range: 'bytes=0-' } })],
  ])('is silent about %s', (_name, fact) => {
    expect(foundBy(compression, [fact])).toEqual([]);
  });
});
