import { expect, test } from 'vitest';
import { edgeAfterKey, withEdge } from '../../../../renderer/state/brush-window.ts';

const RANGE = { from: 1000, to: 2000, step: 50 };

test.each([
  ['ArrowRight', false, 1550],
  ['ArrowLeft', false, 1450],
  ['ArrowRight', true, 2000],
  ['PageDown', false, 1000],
  ['Home', false, 1000],
  ['End', false, 2000],
  ['Enter', false, null],
  ['constructor', false, null],
])('%s, far %s', (key, far, wanted) => {
  expect(edgeAfterKey(key, 1500, RANGE, far)).toBe(wanted);
});

test('an edge moves, within the range and a step away from the other', () => {
  expect(withEdge(null, 'from', 1200, RANGE)).toEqual({ from: 1200, to: 2000 });
  expect(withEdge({ from: 1200, to: 1500 }, 'from', 1900, RANGE)).toEqual({ from: 1450, to: 1500 });
  expect(withEdge({ from: 1200, to: 1500 }, 'to', 900, RANGE)).toEqual({ from: 1200, to: 1250 });
  expect(withEdge({ from: 1200, to: 1500 }, 'to', 9000, RANGE)).toEqual({ from: 1200, to: 2000 });
});

test('the whole range is not a window', () => {
  expect(withEdge({ from: 1200, to: 2000 }, 'from', 0, RANGE)).toBeNull();
});
