import { describe, expect, it } from 'vitest';
import {
  allSelected,
  extendedTo,
  manySelected,
  rowAfter,
  selectedCount,
  selectedIds,
  toggled,
} from '../../../../renderer/state/row-selection.ts';

/** In another order than the ids. */
const VISIBLE = [9, 3, 5, 1, 7];
const one = (selected: number | null) => ({ selected, selection: null });

describe('a range', () => {
  it('goes from the anchor to the focus in display order, and turns around the anchor', () => {
    const down = extendedTo(one(3), VISIBLE, 1);
    expect(selectedIds(down)).toEqual([3, 5, 1]);
    expect(down.selected).toBe(1);
    const up = extendedTo(down, VISIBLE, 9);
    expect(selectedIds(up)).toEqual([9, 3]);
    expect(up.selected).toBe(9);
  });

  it('is one row if the anchor is no longer shown, or nothing was selected', () => {
    expect(selectedIds(extendedTo(one(100), VISIBLE, 5))).toEqual([5]);
    expect(selectedIds(extendedTo(one(null), VISIBLE, 5))).toEqual([5]);
  });
});

describe('a toggled row', () => {
  it('is added as the focus and the anchor of the next range', () => {
    const two = toggled(one(9), 5);
    expect(selectedIds(two)).toEqual([9, 5]);
    expect(selectedIds(extendedTo(two, VISIBLE, 7))).toEqual([5, 1, 7]);
  });

  it('is deselected; the last one stays selected', () => {
    expect(selectedIds(toggled(toggled(one(9), 5), 5))).toEqual([9]);
    expect(selectedIds(toggled(one(9), 9))).toEqual([9]);
  });
});

describe('all rows', () => {
  it('are selected around the focus', () => {
    const all = allSelected(one(5), VISIBLE);
    expect(selectedCount(all)).toBe(5);
    expect(all.selected).toBe(5);
    expect(allSelected(one(null), VISIBLE).selected).toBe(9);
    expect(allSelected(one(null), [])).toEqual(one(null));
  });

  it('are one again when another row is selected', () => {
    const all = allSelected(one(5), VISIBLE);
    expect(manySelected({ ...all, selected: 3 })).toBeNull();
    expect(selectedIds({ ...all, selected: 3 })).toEqual([3]);
  });
});

it('finds the row to select after others are removed', () => {
  expect(rowAfter(VISIBLE, new Set([3, 5]))).toBe(1);
  expect(rowAfter(VISIBLE, new Set([3, 1]))).toBe(7);
  expect(rowAfter(VISIBLE, new Set([7, 1]))).toBe(5);
  expect(rowAfter(VISIBLE, new Set(VISIBLE))).toBeNull();
});
