import { describe, expect, it } from 'vitest';
import {
  choiceOf,
  type Listed,
  likelyScope,
  patternsOf,
  requestChosen,
  scopesOf,
} from '../../../../../renderer/features/export/export-choice.ts';
import type { InspectorApi } from '../../../../../shared/contract/inspector-api.ts';
import { EXPORT_RANGES_LIMIT } from '../../../../../shared/contract/requests/export-requests.ts';

const listed = (given: Partial<Listed>): Listed => ({
  session: 's',
  size: 5,
  visible: [1, 2, 3, 4, 5],
  selected: [],
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
    const given = listed({ visible: [5, 1, 2], selected: [2, 5] });
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

  it('are sent in parts, before anything else that the window asks for', async () => {
    const scattered = Array.from({ length: EXPORT_RANGES_LIMIT * 2 + 3 }, (_, at) => at * 2);
    const asked: { name: string; ids: { first: number }[] | null }[] = [];
    const api = {
      request: async (name: string, { ids }: { ids: { first: number }[] | null }) => {
        asked.push({ name, ids });
        return name;
      },
    } as unknown as InspectorApi;
    const choice = choiceOf('shown', listed({ visible: scattered, size: 1e6 }));
    const answer = requestChosen(api, 'export.preview', { ...choice, format: 'har', patterns: [] });
    expect(asked.map(({ name, ids }) => [name, ids?.length])).toEqual([
      ['export.ids', EXPORT_RANGES_LIMIT],
      ['export.ids', EXPORT_RANGES_LIMIT],
      ['export.preview', 3],
    ]);
    expect(asked.flatMap(({ ids }) => (ids ?? []).map(({ first }) => first))).toEqual(scattered);
    expect(await answer).toBe('export.preview');
  });
});

it('reads patterns line by line, and names the first invalid one', () => {
  expect(patternsOf(' [0-9]{16} \n\nabc')).toEqual({ patterns: ['[0-9]{16}', 'abc'], bad: null });
  expect(patternsOf('a\n(\n[').bad).toBe('(');
});
