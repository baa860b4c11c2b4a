import { expect, it } from 'vitest';
import { idsQuery, shownIds } from '../../../../../renderer/features/insight/ids-query.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';

it('makes ranges of consecutive ids, in the language of the filter', () => {
  expect(idsQuery([3, 1, 2, 7, 9, 10])).toBe('id:1..3,7,9..10');
  expect(compileFilter(idsQuery([3, 1, 2, 7]))).toMatchObject({ ok: true });
});

it('stays short, and knows how many it shows', () => {
  const odd = Array.from({ length: 5000 }, (_, at) => at * 2);
  expect(idsQuery(odd).split(',')).toHaveLength(100);
  expect(shownIds(odd)).toBe(100);
  expect(shownIds([3, 1, 2, 7])).toBe(4);
});
