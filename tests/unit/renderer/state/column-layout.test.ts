import { describe, expect, test } from 'vitest';
import { layoutColumns } from '../../../../renderer/state/column-layout.ts';

const keys = (width: number) => layoutColumns(width, {}).map(({ key }) => key);
const widthOf = (width: number, key: string, chosen = {}) =>
  layoutColumns(width, chosen).find((column) => column.key === key)?.placed;

describe('columns fall away by the width of the list', () => {
  test.each([
    [1280, 'id method status protocol host path type size ttfb total waterfall'],
    [1002, 'id method status protocol host path size ttfb total waterfall'],
    [917, 'id method status host path size ttfb total waterfall'],
    [842, 'id method status host path ttfb total waterfall'],
    [785, 'method status host path ttfb total waterfall'],
    [750, 'method status url ttfb total waterfall'],
    [550, 'method status url total waterfall'],
    [325, 'method status url'],
  ])('%i pixels', (width, wanted) => {
    expect(keys(width).join(' ')).toBe(wanted);
  });

  test.each([325, 467, 540, 618, 760, 831, 1280, 1920, 3840])('%i pixels are filled, and no more', (width) => {
    const placed = layoutColumns(width, {}).map((column) => column.placed);
    expect(placed.reduce((sum, each) => sum + each, 0)).toBe(width);
    expect(Math.min(...placed)).toBeGreaterThan(0);
  });
});

test('what the user gave stays, down to the narrowest', () => {
  expect(widthOf(1280, 'host', { host: 220 })).toBe(220);
  expect(widthOf(1280, 'host', { host: 5 })).toBe(60);
});

test('a wider address takes from the waterfall, and leaves it its narrowest', () => {
  expect(widthOf(1280, 'path', { path: 300 })).toBe(300);
  expect(widthOf(1280, 'waterfall', { path: 5000 })).toBe(130);
});
