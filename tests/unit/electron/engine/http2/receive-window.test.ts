import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { ReceiveWindow } from '../../../../../electron/engine/http2/receive-window.ts';
import { FrameOutput } from '../../../../../electron/engine/http2/sending/frame-output.ts';
import { quiet } from '../../../../support/http2-peer.ts';

function windowOf(size: number): { window: ReceiveWindow; granted: () => Promise<number[]> } {
  const [near, far] = duplexPair();
  const output = new FrameOutput(near, { fill: () => false, written: () => {} }, () => {});
  const granted = async (): Promise<number[]> => {
    await quiet(4);
    const bytes = (far.read() as Buffer | null) ?? Buffer.alloc(0);
    return Array.from({ length: bytes.length / 13 }, (_each, at) => bytes.readUInt32BE(at * 13 + 9));
  };
  return { window: new ReceiveWindow(size, output), granted };
}

it('accepts what it announced, and not a byte more', () => {
  const { window } = windowOf(100);
  window.count(60);
  window.count(40);
  window.count(0);
  expect(() => window.count(1)).toThrow(expect.objectContaining({ code: 3 }));
});

it('updates the peer at half of it, in one frame, and accepts as much again', async () => {
  const { window, granted } = windowOf(100);
  window.count(100);
  window.consumed(49);
  expect(await granted()).toEqual([]);
  window.consumed(1);
  expect(await granted()).toEqual([50]);
  window.count(50);
  expect(() => window.count(1)).toThrow(expect.objectContaining({ code: 3 }));
});

it('grants no more than was consumed, over many', async () => {
  const { window, granted } = windowOf(101);
  let sum = 0;
  for (let count = 0; count < 1000; count += 1) {
    window.count(7);
    window.consumed(7);
    for (const each of await granted()) sum += each;
    expect(sum).toBeLessThanOrEqual((count + 1) * 7);
    expect((count + 1) * 7 - sum).toBeLessThan(51);
    if (count === 50) break;
  }
});
