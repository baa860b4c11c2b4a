import { expect, it } from 'vitest';
import { isInRanges, rangesOf } from '../../../../../shared/model/edits/id-ranges.ts';

it('joins neighbouring ids to ascending ranges', () => {
  expect(rangesOf([7, 1, 2, 3, 9, 2])).toEqual([
    { first: 1, last: 3 },
    { first: 7, last: 7 },
    { first: 9, last: 9 },
  ]);
  expect(rangesOf([])).toEqual([]);
});

it('finds an id in the ranges made of it and of no other', () => {
  const ids = [0, 1, 5, 6, 7, 20, 31];
  const found = Array.from({ length: 40 }, (_, id) => id).filter((id) => isInRanges(rangesOf(ids), id));
  expect(found).toEqual(ids);
});
