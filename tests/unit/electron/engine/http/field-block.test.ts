import { describe, expect, it } from 'vitest';
import { type HeadMemo, readFieldBlock } from '../../../../../electron/engine/http/field-block.ts';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';

const FIELDS = 'Host: a.test\r\nContent-Length: 5\r\nConnection: close\r\n\r\n';

describe('a field block', () => {
  it('has the fields, and those that decide about the connection', () => {
    const block = readFieldBlock(`GET / HTTP/1.1\r\n${FIELDS}`, {});
    expect(block.headers).toEqual(['Host', 'a.test', 'Content-Length', '5', 'Connection', 'close']);
    expect(block.connection).toMatchObject({ host: 'a.test', length: '5', close: true, upgrade: false });
  });

  it('is reused if the next head has the same fields, regardless of its first line', () => {
    const memo: HeadMemo = {};
    const first = readFieldBlock(`GET /one HTTP/1.1\r\n${FIELDS}`, memo);
    expect(readFieldBlock(`GET /another HTTP/1.1\r\n${FIELDS}`, memo)).toBe(first);
    expect(readFieldBlock(`GET /one HTTP/1.1\r\n${FIELDS}`, {})).toEqual(first);
  });

  it.each([
    ['a value', FIELDS.replace('5', '6'), ['Host', 'a.test', 'Content-Length', '6', 'Connection', 'close']],
    ['one less', 'Host: a.test\r\n\r\n', ['Host', 'a.test']],
    ['one more', `X: 1\r\n${FIELDS}`, ['X', '1', 'Host', 'a.test', 'Content-Length', '5', 'Connection', 'close']],
    ['the case of a name', 'HOST: a.test\r\n\r\n', ['HOST', 'a.test']],
    ['none', '\r\n', []],
  ])('differs if the heads differ in %s', (_, fields, expected) => {
    const memo: HeadMemo = {};
    readFieldBlock(`GET / HTTP/1.1\r\n${FIELDS}`, memo);
    expect(readFieldBlock(`GET / HTTP/1.1\r\n${fields}`, memo).headers).toEqual(expected);
  });

  it('is not kept if it is large', () => {
    const memo: HeadMemo = {};
    readFieldBlock(`GET / HTTP/1.1\r\n${FIELDS}`, memo);
    const large = `GET / HTTP/1.1\r\nCookie: ${'x'.repeat(5000)}\r\n\r\n`;
    const first = readFieldBlock(large, memo);
    expect(memo.block?.text).toBe(FIELDS);
    expect(readFieldBlock(large, memo)).toEqual(first);
  });

  it('is refused each time it comes', () => {
    const memo: HeadMemo = {};
    for (let count = 0; count < 2; count += 1) {
      expect(() => readFieldBlock('GET / HTTP/1.1\r\nbad name: 1\r\n\r\n', memo)).toThrow(FramingError);
    }
  });
});
