import { describe, expect, it } from 'vitest';
import {
  choiceOf,
  type Listed,
  likelyScope,
  patternsOf,
  scopesOf,
} from '../../../../../renderer/features/export/export-choice.ts';
import { EXPORT_RANGES_LIMIT } from '../../../../../shared/contract/requests/export-requests.ts';

const listed = (given: Partial<Listed>): Listed => ({
  session: 's',
  size: 5,
  visible: [1, 2, 3, 4, 5],
  selected: [],
  query: '',
  timeWindow: null,
  ...given,
});

describe('the preselected scope', () => {
  it.each([
    ['all', listed({})],
    ['all', listed({ selected: [2] })],
    ['shown', listed({ visible: [1, 2], selected: [2] })],
    ['selected', listed({ visible: [1, 2], selected: [1, 2] })],
  ] as const)('is %s', (scope, given) => expect(likelyScope(given)).toBe(scope));

  it('is one of those that are offered', () => {
    expect(scopesOf(listed({ visible: [1, 2], selected: [2] }))).toEqual([
      { scope: 'all', count: 5 },
      { scope: 'shown', count: 2 },
      { scope: 'selected', count: 1 },
    ]);
    expect(scopesOf(listed({}))).toEqual([{ scope: 'all', count: 5 }]);
  });
});

describe('the exchanges of a scope', () => {
  it('are named by ids, because the list may show what no query does', () => {
    const given = listed({ visible: [5, 1, 2], selected: [2, 5], query: 'body:x' });
    expect(choiceOf('all', given)).toEqual({ session: 's', query: '', window: null, ids: null });
    expect(choiceOf('shown', given)?.ids).toEqual([
      { first: 1, last: 2 },
      { first: 5, last: 5 },
    ]);
    expect(choiceOf('selected', given)?.ids).toEqual([
      { first: 2, last: 2 },
      { first: 5, last: 5 },
    ]);
  });

  it('are named by the query when there are too many ranges', () => {
    const scattered = Array.from({ length: EXPORT_RANGES_LIMIT + 1 }, (_, at) => at * 2);
    const given = listed({ visible: scattered, selected: scattered, query: 'host:a', timeWindow: { from: 1, to: 2 } });
    const asked = { session: 's', query: 'host:a', window: { from: 1, to: 2 }, ids: null };
    expect(choiceOf('shown', given)).toEqual(asked);
    expect(choiceOf('selected', given)).toEqual(asked);
    expect(choiceOf('selected', { ...given, visible: [...scattered, 99_999] })).toBeNull();
  });
});

it('reads patterns line by line, and names the first invalid one', () => {
  expect(patternsOf(' [0-9]{16} \n\nabc')).toEqual({ patterns: ['[0-9]{16}', 'abc'], bad: null });
  expect(patternsOf('a\n(\n[').bad).toBe('(');
});
