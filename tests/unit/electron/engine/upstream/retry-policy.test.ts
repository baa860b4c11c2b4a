import { describe, expect, it } from 'vitest';
import {
  connectDelay,
  type SendCounts,
  SendHistory,
  sendRetry,
} from '../../../../../electron/engine/upstream/retry-policy.ts';

const FIRST: SendCounts = { reusedClosed: 0, freshClosed: 0, refused: 0, challenged: 0 };
const KEPT = { method: 'POST', kept: true };
const LOST = { method: 'POST', kept: false };
const ON = { retry: true, retryIdempotent: false };
const OFF = { retry: false, retryIdempotent: true };

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
    const after = (reusedClosed: number) => sendRetry('reused-connection-closed', { ...FIRST, reusedClosed }, KEPT, ON);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'fresh-connection', 'no']);
  });
});

// design, "Retry" (c); Chrome's rule too (field notes)
describe('a refused stream', () => {
  it('is sent again up to twice, whatever closed before', () => {
    const after = (refused: number) => sendRetry('refused-stream', { ...FIRST, reusedClosed: 2, refused }, KEPT, ON);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'any-connection', 'no']);
  });
});

// design, "Retry" (d)
describe('a connection that was opened for the request and closed', () => {
  const next = (method: string, freshClosed = 0, settings = { retry: true, retryIdempotent: true }) =>
    sendRetry('fresh-connection-closed', { ...FIRST, freshClosed }, { method, kept: true }, settings);

  it('is followed by another, once, for what may be asked twice, where that is wanted', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) expect(next(method)).toBe('fresh-connection');
    for (const method of ['POST', 'PATCH', 'CONNECT', 'get']) expect(next(method)).toBe('no');
    expect(next('GET', 1)).toBe('no');
    expect(next('GET', 0, ON)).toBe('no');
    expect(next('GET', 0, OFF)).toBe('no');
  });
});

it('nothing is sent again whose body was not kept, or where it is off', () => {
  for (const cause of ['reused-connection-closed', 'fresh-connection-closed', 'refused-stream'] as const) {
    expect(sendRetry(cause, FIRST, LOST, ON)).toBe('no');
    expect(sendRetry(cause, FIRST, KEPT, OFF)).toBe('no');
  }
});

it('the answer to a proxy that asks who it is has its end too', () => {
  const after = (challenged: number) => sendRetry('proxy-challenge', { ...FIRST, challenged }, KEPT, OFF);
  expect(after(0)).toBe('any-connection');
  expect(after(100)).toBe('no');
  expect(sendRetry('proxy-challenge', FIRST, LOST, ON)).toBe('no');
});

it('a history counts each way on its own', () => {
  const history = new SendHistory();
  for (const cause of ['refused-stream', 'proxy-challenge', 'reused-connection-closed', 'refused-stream'] as const)
    history.count(cause);
  expect(history).toMatchObject({ reusedClosed: 1, refused: 2, challenged: 1 });
});
