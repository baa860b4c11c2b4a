import { expect, it } from 'vitest';
import { valuesAt } from '../../../../../electron/mcp/read/json-path.ts';

const DOCUMENT = { items: [{ id: 1 }, { id: 2 }], 'odd name': true, "it's": 'a', 'a"b': 'c', nothing: null };

it.each<[string, unknown[]]>([
  ['$', [DOCUMENT]],
  ['items[1].id', [2]],
  ['$.items[*].id', [1, 2]],
  ['$.items.*.id', [1, 2]],
  ['$["odd name"]', [true]],
  ["$['odd name']", [true]],
  [String.raw`$['it\'s']`, ['a']],
  [`$["it's"]`, ['a']],
  [`$['a"b']`, ['c']],
  [String.raw`$["a\"b"]`, ['c']],
  ['$.nothing.more', []],
  ['$.items[7]', []],
])('the values at %s', (path, values) => {
  expect(valuesAt(DOCUMENT, path)).toEqual(values);
});

it.each(['$.items[', '$..id', '$.items[-1]', '$["open', String.raw`$["\x"]`, String.raw`$['\x']`])(
  'the path %s is refused at the place of its fault',
  (path) => {
    expect(() => valuesAt(DOCUMENT, path)).toThrow(
      expect.objectContaining({ code: 'agents.bad-json-path', message: expect.stringContaining(path) }),
    );
  },
);
