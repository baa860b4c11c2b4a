import { describe, expect, it } from 'vitest';
import { factFields, type OwnFields } from '../../../../shared/insight/fact-fields.ts';

describe('the fields of a fact', () => {
  it('are those that rules read, by lower-case name', () => {
    expect(factFields(['Host', 'a.test', 'ACCEPT', 'text/html', 'Range', 'bytes=0-'], {})).toEqual({
      accept: 'text/html',
      range: 'bytes=0-',
    });
  });

  it('are one object for equal values, and different ones otherwise', () => {
    const message = (accept: string, host: string) => factFields(['Host', host, 'Accept', accept], {});
    const first = message('a', 'one.test');
    expect(message('a', 'two.test')).toBe(first);
    expect(message('b', 'one.test')).toEqual({ accept: 'b' });
    expect(message('a', 'one.test')).toBe(first);
  });

  it('join the values of a repeated field', () => {
    expect(factFields(['Accept', 'a', 'accept', 'b'], {})).toEqual({ accept: 'a, b' });
  });

  it('tell messages apart whose names are in another order', () => {
    expect(factFields(['Accept', 'a', 'Range', 'b'], {})).toEqual({ accept: 'a', range: 'b' });
    expect(factFields(['Range', 'a', 'Accept', 'b'], {})).toEqual({ accept: 'b', range: 'a' });
  });

  it('leave out secrets and what hardly repeats', () => {
    const own: OwnFields = {};
    expect(factFields(['Cookie', 'a=1', 'Authorization', 'Basic x', 'Cookie', 'b=2', 'ETag', '"e"'], own)).toEqual({});
    expect(own).toEqual({ cookie: 'a=1, b=2', authorization: 'Basic x', etag: '"e"' });
  });
});
