import { expect, it } from 'vitest';
import { hashOf, identityOf } from '../../../../shared/insight/text-hash.ts';

it('tells apart whose text is whose', () => {
  const identities = [['ab', 'c'], ['a', 'bc'], ['abc'], ['', 'abc'], [undefined, 'abc', ''], []].map((texts) =>
    identityOf(...texts),
  );
  expect(new Set(identities).size).toBe(6);
});

it('is the same for equal texts, also after more than are remembered', () => {
  const before = [hashOf('a=1'), identityOf('a=1', undefined)];
  for (let at = 0; at < 2000; at += 1) identityOf(`a=${at}`);
  expect([hashOf('a=1'), identityOf('a=1', '')]).toEqual(before);
});
