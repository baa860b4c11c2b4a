import { describe, expect, it } from 'vitest';
import { caching } from '../../../../../../shared/insight/rules/content/caching.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const files = (count: number, control: string | null, of: ExampleFact = {}) =>
  exampleFacts(count, (index) => ({
    dest: 'image',
    path: `/picture${index}`,
    size: 1000,
    response: control === null ? {} : { 'Cache-Control': control },
    ...of,
  }));

describe('caching', () => {
  it.each([
    ['without a lifetime', files(3, null)],
    ['with less than a day', files(3, 'max-age=86399')],
    ['of 100 KB', files(1, null, { size: 100 * 1024 })],
  ])('reports files %s', (_name, facts) => {
    expect(foundBy(caching, facts)).toHaveLength(1);
  });

  it('says how many state no lifetime', () => {
    const detail = (facts: ReturnType<typeof files>) => foundBy(caching, facts)[0]?.detail;
    expect(detail(files(4, null))).toBe('None of the responses has max-age or Expires.');
    expect(detail(files(4, 'max-age=60'))).toBe('All responses state a lifetime, which is less than a day.');
    const some = [...files(3, null), ...files(4, 'max-age=60')];
    expect(detail(some)).toBe('3 of 7 responses have neither max-age nor Expires, the others less than a day.');
  });

  it.each([
    ['a day', files(9, 'max-age=86400')],
    ['two small files', files(2, null)],
    ['what somebody decided', files(9, 'no-cache')],
    ['data', files(9, null, { dest: 'empty' })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(caching, facts)).toEqual([]);
  });
});
