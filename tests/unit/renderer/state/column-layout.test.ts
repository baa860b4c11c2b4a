import { describe, expect, test } from 'vitest';
import { layoutColumns } from '../../../../renderer/state/column-layout.ts';
import { COLUMNS } from '../../../../renderer/state/columns.ts';

const keys = (width: number) => layoutColumns(width, {}).map(({ key }) => key);
const widthOf = (width: number, key: string, chosen = {}) =>
  layoutColumns(width, chosen).find((column) => column.key === key)?.placed;

describe('columns disappear as the list gets narrower', () => {
  test('a wide list shows all columns in display order', () => {
    expect(keys(1920)).toEqual(COLUMNS.map(({ key }) => key).filter((key) => key !== 'url'));
  });

  test('they disappear by their rank, and the address replaces host and path', () => {
    const gone: string[] = [];
    for (let width = 1920; width >= 300; width -= 1) {
      const shown = keys(width);
      const missing = COLUMNS.filter(({ key, leaves }) => leaves !== undefined && !shown.includes(key));
      gone.push(...missing.map(({ key }) => key).filter((key) => !gone.includes(key)));
      expect(shown.includes('url')).toBe(!shown.includes('host'));
      expect(shown.includes('path')).toBe(shown.includes('host'));
    }
    const byRank = COLUMNS.flatMap(({ key, leaves }) => (leaves === undefined ? [] : [{ key, leaves }]));
    expect(gone).toEqual(byRank.toSorted((a, b) => a.leaves - b.leaves).map(({ key }) => key));
  });

  test('the narrowest list shows method, status and address', () => {
    expect(keys(325)).toEqual(['method', 'status', 'url']);
  });

  test.each([325, 467, 540, 618, 760, 831, 1280, 1920, 3840])('%i pixels are filled, and no more', (width) => {
    const placed = layoutColumns(width, {}).map((column) => column.placed);
    expect(placed.reduce((sum, each) => sum + each, 0)).toBe(width);
    expect(Math.min(...placed)).toBeGreaterThan(0);
  });
});

test('a chosen width is kept, down to the minimum of its column', () => {
  expect(widthOf(1280, 'host', { host: 220 })).toBe(220);
  expect(widthOf(1280, 'host', { host: 5 })).toBe(60);
});

test('a wider address takes space from the waterfall, down to its minimum', () => {
  expect(widthOf(1920, 'path', { path: 300 })).toBe(300);
  expect(widthOf(1920, 'waterfall', { path: 5000 })).toBe(130);
});

test('the column of numbers has room for the highest, unless the user chose its width', () => {
  const numbers = (digits: number, chosen = {}) =>
    layoutColumns(1280, chosen, digits).find(({ key }) => key === 'id')?.placed;
  expect(numbers(1)).toBe(64);
  expect(numbers(5)).toBe(64);
  expect(numbers(7)).toBe(73);
  expect(numbers(7, { id: 50 })).toBe(50);
});
