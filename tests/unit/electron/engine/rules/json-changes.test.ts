import { describe, expect, test } from 'vitest';
import { merged, patched } from '../../../../../electron/engine/rules/json-changes.ts';

/** RFC 7396, appendix A. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('merging %j and %j', (target, patch, result) => {
  expect(merged(target, patch)).toEqual(result);
});

test('a merge sets no prototype', () => {
  const result = merged({}, JSON.parse('{"__proto__":{"polluted":true}}')) as Record<string, unknown>;
  expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
  expect(result.polluted).toBe(undefined);
});

/** RFC 6902, appendix A. */
describe('a JSON patch', () => {
  test.each([
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [{ baz: 'qux' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo' }],
    [{ foo: ['all', 'cows'] }, [{ op: 'move', from: '/foo/1', path: '/foo/0' }], { foo: ['cows', 'all'] }],
    [{ a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    [{ baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'qux' }], { baz: 'qux' }],
    [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
    [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [{ a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], { a: 1, b: 1 }],
    [{ a: 1 }, [{ op: 'add', path: '', value: [] }], []],
  ] as const)('%j with %j', (document, operations, result) => {
    const before = JSON.stringify(document);
    expect(patched(document, operations as never)).toEqual(result);
    expect(JSON.stringify(document)).toBe(before);
  });

  test.each([
    [[{ op: 'test', path: '/a', value: '1' }], 'the test at "/a" failed'],
    [[{ op: 'remove', path: '/no' }], 'the body has no "no" there'],
    [[{ op: 'add', path: '/list/9', value: 1 }], 'the body has no "9" there'],
    [[{ op: 'add', path: '/list/01', value: 1 }], 'the body has no "01" there'],
    [[{ op: 'add', path: '/no/deep', value: 1 }], 'the body has no "no" there'],
    [[{ op: 'add', path: 'a', value: 1 }], '"a" is not a JSON pointer'],
    [[{ op: 'move', from: '/list', path: '/list/0' }], 'a value cannot be moved into itself'],
    [[{ op: 'remove', path: '/__proto__' }], 'the body has no "__proto__" there'],
  ] as const)('%j does not apply', (operations, message) => {
    expect(() => patched({ a: 1, list: [1] }, operations as never)).toThrow(message);
  });
});
