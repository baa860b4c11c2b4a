import { expect, it } from 'vitest';
import { HostClock } from '../../../../renderer/state/host-clock.ts';

/** A window whose own clock is a minute fast. */
function window() {
  let host = 1_000_000;
  let set = 60_000;
  const clock = new HostClock(() => host + set);
  return {
    clock,
    passes: (ms: number) => {
      host += ms;
    },
    isSet: (ms: number) => {
      set += ms;
    },
    /** A message that took so long. */
    heard: (took: number) => clock.heard(host - took),
    off: () => clock.now() - host,
  };
}

it('is the local clock until the host has reported its time', () => {
  expect(window().off()).toBe(60_000);
});

it("is the host's clock, less the delay of the fastest message", () => {
  const { heard, passes, off } = window();
  heard(40);
  expect(off()).toBe(-40);
  passes(1000);
  heard(3);
  expect(off()).toBe(-3);
  passes(1000);
  heard(80);
  expect(off()).toBe(-3);
});

it.each([-30_000, 30_000])('follows when the local clock is set by %d ms', (by) => {
  const { heard, isSet, off } = window();
  heard(5);
  isSet(by);
  heard(5);
  expect(off()).toBe(-5);
});
