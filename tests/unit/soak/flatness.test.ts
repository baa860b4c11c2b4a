import { describe, expect, it } from 'vitest';
import { atMost, flat } from '../../soak/flatness.ts';

const TOLERANCE = { share: 0.1, extra: 5 };

describe('a figure is flat', () => {
  it.each([
    ['the same', [100, 100, 100, 100, 100, 100], true],
    ['falling', [100, 90, 80, 70, 60, 50], true],
    ['growing within the tolerance', [100, 103, 106, 109, 112, 114], true],
    ['growing beyond it', [100, 105, 110, 116, 120, 125], false],
    ['one sample that stands out', [100, 100, 100, 100, 400, 100, 100, 100, 400], true],
    ['a step in its last third', [100, 100, 100, 100, 100, 100, 100, 130, 130, 130], false],
  ])('%s', (_name, values, ok) => {
    expect(flat('memory', values, TOLERANCE, 'MB').ok).toBe(ok);
  });

  it('never, if there are too few samples', () => {
    expect(flat('memory', [100, 100], TOLERANCE, 'MB').ok).toBe(false);
  });

  it('reports the measured and the allowed value', () => {
    expect(flat('memory', [100, 150, 200], TOLERANCE, 'MB')).toEqual({
      ...{ what: 'memory', ok: false },
      detail: '100.0 -> 200.0 MB, at most 115.0',
    });
  });
});

it('a figure has its limit', () => {
  expect([atMost('time', 60, 60, 's').ok, atMost('time', 60.1, 60, 's').ok]).toEqual([true, false]);
});
