import { expect, it } from 'vitest';
import { FrameStamps } from '../../../../../../electron/engine/http2/sending/frame-stamps.ts';

it('keeps when the first and the latest frame left, and the last one only once the stream ends', () => {
  const stamps = new FrameStamps();
  stamps.left(10);
  stamps.left(20);
  expect(stamps).toMatchObject({ firstAt: 10, latestAt: 20, lastAt: -1 });
  stamps.ends = true;
  stamps.left(30);
  stamps.left(40);
  expect(stamps).toMatchObject({ firstAt: 10, latestAt: 40, lastAt: 30 });
});

it('a new message begins with another first frame', () => {
  const stamps = new FrameStamps();
  stamps.left(10);
  stamps.begin();
  expect(stamps.firstAt).toBe(-1);
  stamps.left(20);
  expect(stamps.firstAt).toBe(20);
});

it('tells once, at the first frame or at the last', () => {
  const stamps = new FrameStamps();
  const told: string[] = [];
  stamps.whenOut(() => told.push('first'));
  stamps.left(10);
  stamps.whenOut(() => told.push('last'));
  stamps.left(20);
  expect(told).toEqual(['first']);
  stamps.ends = true;
  stamps.left(30);
  stamps.left(40);
  expect(told).toEqual(['first', 'last']);
});
