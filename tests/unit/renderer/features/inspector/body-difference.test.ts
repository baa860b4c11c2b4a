import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyDifference } from '../../../../../renderer/features/inspector/compare/body-difference.ts';

const body = (bytes: Uint8Array, whole = true) => ({ bytes: new Uint8Array(bytes), whole });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('bodies of which only the beginning was read are the same that far', async () => {
  const [bytes, other] = [Buffer.from('begin'), Buffer.from('begun')];
  expect(await bodyDifference(body(bytes), body(bytes))).toEqual({ kind: 'same', upTo: null });
  expect(await bodyDifference(body(bytes, false), body(bytes, false))).toEqual({ kind: 'same', upTo: 5 });
  expect(await bodyDifference(body(bytes), body(other))).toMatchObject({ kind: 'text' });
});

test('other bytes have their hash, and say if it is that of the beginning', async () => {
  const [was, is] = [new Uint8Array(2000).fill(0xff), new Uint8Array(1000).fill(0xfe)];
  expect(await bodyDifference(body(was, false), body(is))).toEqual({
    kind: 'binary',
    before: `SHA-256 ${sha256(was)} (the first 2,000 bytes)`,
    after: `SHA-256 ${sha256(is)} (1,000 bytes)`,
  });
});
