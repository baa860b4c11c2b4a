import { describe, expect, it } from 'vitest';
import {
  connectDelay,
  type SendCounts,
  SendHistory,
  sendRetry,
} from '../../../../../electron/engine/upstream/retry-policy.ts';

const FIRST: SendCounts = { reusedClosed: 0, refused: 0, challenged: 0 };

// design, "Retry" (a); Cypress 3.3 (field notes)
describe('connecting', () => {
  it('is tried five times, after 0, 100, 200 and 200 ms', () => {
    expect([1, 2, 3, 4, 5, 6].map((failed) => connectDelay(failed, true, true))).toEqual([
      0,
      100,
      200,
      200,
      null,
      null,
    ]);
  });

  it('is not tried again for what another try would not change, nor where that is off', () => {
    expect(connectDelay(1, false, true)).toBeNull();
    expect(connectDelay(1, true, false)).toBeNull();
  });
});

// design, "Retry" (b)
describe('a reused connection that closed', () => {
  it('is followed by any other at once, then by a fresh one, then by none', () => {
    const after = (reusedClosed: number) =>
      sendRetry('reused-connection-closed', { ...FIRST, reusedClosed }, true, true);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'fresh-connection', 'no']);
  });
});

// design, "Retry" (c); Chrome's rule too (field notes)
describe('a refused stream', () => {
  it('is sent again up to twice, whatever closed before', () => {
    const after = (refused: number) => sendRetry('refused-stream', { ...FIRST, reusedClosed: 2, refused }, true, true);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'any-connection', 'no']);
  });
});

it('nothing is sent again whose body was not kept, or where it is off', () => {
  for (const cause of ['reused-connection-closed', 'refused-stream'] as const) {
    expect(sendRetry(cause, FIRST, false, true)).toBe('no');
    expect(sendRetry(cause, FIRST, true, false)).toBe('no');
  }
});

it('the answer to a proxy that asks who it is has its end too', () => {
  const after = (challenged: number) => sendRetry('proxy-challenge', { ...FIRST, challenged }, true, false);
  expect(after(0)).toBe('any-connection');
  expect(after(100)).toBe('no');
  expect(sendRetry('proxy-challenge', FIRST, false, true)).toBe('no');
});

it('a history counts each way on its own', () => {
  const history = new SendHistory();
  for (const cause of ['refused-stream', 'proxy-challenge', 'reused-connection-closed', 'refused-stream'] as const)
    history.count(cause);
  expect(history).toMatchObject({ reusedClosed: 1, refused: 2, challenged: 1 });
});
