import { expect, test } from 'vitest';
import { accepted, completionsOf } from '../../../../../renderer/features/toolbar/completions.ts';

const inserts = (query: string) => completionsOf(query).map(({ insert }) => insert);

test.each([
  ['st', ['status:']],
  ['host:api st', ['status:']],
  ['(-st', ['status:']],
  ['method:P', ['method:POST ', 'method:PUT ', 'method:PATCH ']],
  ['scheme:https', []],
  ['status:>', ['status:>=400 ']],
  ['nothing:1', []],
])('%s', (query, wanted) => {
  expect(inserts(query)).toEqual(wanted);
});

test.each([
  ['host:api st', 'host:api status:'],
  ['(-st', '(-status:'],
  ['', 'status:'],
  ['-', '-status:'],
])('accepting after %s', (query, wanted) => {
  expect(accepted(query, { insert: 'status:', about: '' })).toBe(wanted);
});
