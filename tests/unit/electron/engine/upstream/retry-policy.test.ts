import { describe, expect, it } from 'vitest';
import {
  connectDelay,
  isRepeatable,
  type SendCounts,
  SendHistory,
  sendRetry,
} from '../../../../../electron/engine/upstream/retry-policy.ts';

const FIRST: SendCounts = { foundClosed: 0, closed: 0, refused: 0, challenged: 0 };
const POST = { method: 'POST', kept: true };
const GET = { method: 'GET', kept: true };
const LOST = { method: 'GET', kept: false };
const ON = { retry: true, retryIdempotent: false, retryRefused: false };
const PATIENT = { ...ON, retryRefused: true };
const OFF = { retry: false, retryIdempotent: true, retryRefused: true };
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];
const OTHERS = ['POST', 'PATCH', 'CONNECT', 'get', 'FROBNICATE'];

// design, "Retry" (a)
describe('connecting', () => {
  const unreachable = { retryable: true, refused: false, reachedBefore: false };
  const refused = { retryable: true, refused: true, reachedBefore: false };

  it('is tried five times, after 0, 100, 200 and 200 ms', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((failed) => connectDelay(failed, unreachable, ON));
    expect(delays).toEqual([0, 100, 200, 200, null, null]);
  });

  it('ends with a refusal, unless something listened there earlier or the setting says otherwise', () => {
    expect(connectDelay(1, refused, ON)).toBeNull();
    expect(connectDelay(2, { ...refused, reachedBefore: true }, ON)).toBe(100);
    expect(connectDelay(2, refused, PATIENT)).toBe(100);
  });

  it('is not retried for permanent failures, or with retries off', () => {
    expect(connectDelay(1, { ...unreachable, retryable: false }, ON)).toBeNull();
    expect(connectDelay(1, unreachable, OFF)).toBeNull();
    expect(connectDelay(1, { ...refused, reachedBefore: true }, OFF)).toBeNull();
  });
});

// design, "Retry" (b)
describe('a connection that closed before a byte of the request was sent', () => {
  it('is followed at once by any other, then by a new one, for every method', () => {
    const after = (foundClosed: number) => sendRetry('connection-found-closed', { ...FIRST, foundClosed }, POST, ON);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'fresh-connection', 'no']);
  });
});

// design, "Retry" (b); RFC 9110, section 9.2.2
describe('a reused connection that closed after a byte of the request was sent', () => {
  const next = (method: string, closed = 0) =>
    sendRetry('reused-connection-closed', { ...FIRST, closed }, { method, kept: true }, ON);

  it('is followed by a new one, once, for idempotent methods', () => {
    for (const method of IDEMPOTENT) expect([next(method), next(method, 1)]).toEqual(['fresh-connection', 'no']);
  });

  it('ends the attempts for all other methods', () => {
    for (const method of OTHERS) expect(next(method)).toBe('no');
  });
});

// design, "Retry" (c)
describe('a refused stream', () => {
  it('is sent again up to twice, for every method and earlier closure', () => {
    const after = (refused: number) => sendRetry('refused-stream', { ...FIRST, closed: 1, refused }, POST, ON);
    expect([0, 1, 2].map(after)).toEqual(['any-connection', 'any-connection', 'no']);
  });
});

describe('a connection that was opened for the request and closed', () => {
  const next = (method: string, closed = 0, settings = { retry: true, retryIdempotent: true }) =>
    sendRetry('fresh-connection-closed', { ...FIRST, closed }, { method, kept: true }, settings);

  it('is followed by another, once, for idempotent methods where the setting allows it', () => {
    for (const method of IDEMPOTENT) expect(next(method)).toBe('fresh-connection');
    for (const method of OTHERS) expect(next(method)).toBe('no');
    expect(next('GET', 1)).toBe('no');
    expect(next('GET', 0, ON)).toBe('no');
    expect(next('GET', 0, OFF)).toBe('no');
  });
});

it('a request is not resent if its body was not kept, or with retries off', () => {
  const causes = [
    'connection-found-closed',
    'reused-connection-closed',
    'fresh-connection-closed',
    'refused-stream',
  ] as const;
  for (const cause of causes) {
    expect(sendRetry(cause, FIRST, LOST, { ...ON, retryIdempotent: true })).toBe('no');
    expect(sendRetry(cause, FIRST, GET, OFF)).toBe('no');
  }
});

it('a request is repeatable with an idempotent method, a body that is kept, and retries on', () => {
  expect(isRepeatable(GET, ON)).toBe(true);
  for (const request of [POST, LOST, { method: 'FROBNICATE', kept: true }])
    expect(isRepeatable(request, ON)).toBe(false);
  expect(isRepeatable(GET, OFF)).toBe(false);
});

it('the retries for a proxy that asks for a login are limited too', () => {
  const after = (challenged: number) => sendRetry('proxy-challenge', { ...FIRST, challenged }, POST, OFF);
  expect(after(0)).toBe('any-connection');
  expect(after(100)).toBe('no');
  expect(sendRetry('proxy-challenge', FIRST, LOST, ON)).toBe('no');
});

it('a history counts attempts by how they ended', () => {
  const history = new SendHistory();
  const causes = [
    'refused-stream',
    'proxy-challenge',
    'connection-found-closed',
    'reused-connection-closed',
    'fresh-connection-closed',
    'refused-stream',
  ] as const;
  for (const cause of causes) history.count(cause);
  expect(history).toMatchObject({ foundClosed: 1, closed: 2, refused: 2, challenged: 1 });
});
