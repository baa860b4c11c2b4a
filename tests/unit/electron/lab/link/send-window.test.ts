import { describe, expect, it } from 'vitest';
import { Link } from '../../../../../electron/lab/link/link.ts';
import { SendWindow } from '../../../../../electron/lab/link/send-window.ts';

describe("a sender's window", () => {
  it('starts with ten segments and doubles with each round trip', () => {
    const window = new SendWindow(false);
    expect(window.room(1e6)).toBe(14_480);
    window.sent(14_480);
    expect(window.room(1e6)).toBe(0);
    window.acknowledged(14_480);
    expect(window.room(1e6)).toBe(28_960);
  });

  it("holds a segment that is not full while others are under way, with Nagle's algorithm", () => {
    const window = new SendWindow(true);
    expect(window.room(300)).toBe(300);
    expect(window.sent(300)).toBe(true);
    expect(window.room(300)).toBe(0);
    expect(window.room(3000)).toBe(2896);
    window.acknowledged(300);
    expect(window.room(300)).toBe(300);
  });

  it("does not hold it without Nagle's algorithm", () => {
    const window = new SendWindow(false);
    window.sent(300);
    expect(window.room(300)).toBe(300);
  });
});

describe('the emulated link', () => {
  it('delays by half a round trip and by the bandwidth, which all connections share', () => {
    const link = new Link({ rtt: 100, bandwidth: 8, nagle: false });
    expect(link.carry(1000, 'down', 0)).toBe(51);
    expect(link.carry(1000, 'down', 0)).toBe(52);
    expect(link.carry(1000, 'up', 0)).toBe(51);
  });

  it('is transparent without delay, limit and Nagle', () => {
    expect(new Link({ rtt: 0, bandwidth: 0, nagle: false }).isTransparent).toBe(true);
    expect(new Link({ rtt: 0, bandwidth: 0, nagle: true }).isTransparent).toBe(false);
  });
});
