import { describe, expect, it } from 'vitest';
import { FloodFault, FloodWatch } from '../../../../../electron/engine/http2/flood-watch.ts';

const LIMITS = { http2Pings: 10, http2Resets: 20, http2ControlBytes: 1000 };
const START = 50_000;

/** How many of them pass before it is a flood. */
function passes(act: (count: number) => void, most = 1000): number {
  for (let count = 0; count < most; count += 1) {
    try {
      act(count);
    } catch (error) {
      expect(error).toBeInstanceOf(FloodFault);
      return count;
    }
  }
  return most;
}

describe('the limit at once, and a tenth of it per second', () => {
  it('answers', () => {
    const watch = new FloodWatch(LIMITS);
    expect(passes(() => watch.reply(START))).toBe(10);
    expect(passes(() => watch.reply(START + 4000))).toBe(3);
  });

  it('resets', () => {
    const watch = new FloodWatch(LIMITS);
    expect(passes(() => watch.reset(START))).toBe(20);
    expect(passes(() => watch.reset(START + 2000))).toBe(3);
  });

  it('at a tenth a second forever', () => {
    const watch = new FloodWatch(LIMITS);
    expect(passes((count) => watch.reset(START + count * 500), 5000)).toBe(5000);
    expect(passes((count) => watch.reply(START + count * 1000), 5000)).toBe(5000);
  });
});

it('an answer is free for each frame of a message, and nothing beyond it is saved up', () => {
  const watch = new FloodWatch(LIMITS);
  const busy = (): void => {
    watch.progress();
    watch.reply(START);
  };
  expect(passes(busy, 500)).toBe(500);
  for (let count = 0; count < 100; count += 1) watch.progress();
  expect(passes(() => watch.reply(START))).toBe(10);
});

it('counts the bytes of other frames, their heads too, by the second', () => {
  const watch = new FloodWatch(LIMITS);
  expect(passes(() => watch.beside(91, START))).toBe(10);
  expect(passes(() => watch.beside(91, START + 10_000))).toBe(10);
  const empty = new FloodWatch(LIMITS);
  expect(passes(() => empty.beside(0, START))).toBe(111);
});

it('names what exceeded the limit, and the limit', () => {
  const watch = new FloodWatch({ ...LIMITS, http2Pings: 0 });
  const attempt = (): void => watch.reply(START);
  expect(attempt).toThrow('more than 0 PING or SETTINGS frames at once');
  expect(attempt).toThrow(expect.objectContaining({ code: 11, limit: 0, limitName: 'http2Pings' }));
});
