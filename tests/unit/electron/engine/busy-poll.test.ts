import { describe, expect, it } from 'vitest';
import { BusyPoll } from '../../../../electron/engine/busy-poll.ts';

/** A poll on its own clock, whose turns follow each other every 0.01 ms. */
function polled(cores = 2) {
  let now = 1000;
  let next: (() => void) | null = null;
  const poll = new BusyPoll(
    {
      now: () => now,
      nextTurn: (run) => {
        next = run;
      },
    },
    cores,
  );
  const looks = () => next !== null;
  /** Milliseconds pass; the thread sleeps once nothing is to be done in the next turn. */
  const pass = (ms: number): void => {
    for (let left = Math.round(ms / 0.01); left > 0; left -= 1) {
      now += 0.01;
      const run = next;
      next = null;
      run?.();
    }
  };
  const client = {};
  return { poll, looks, pass, client, upstream: {} };
}

/** What arrives as soon as the previous one has been sent. */
function exchange({ poll, pass, client, upstream }: ReturnType<typeof polled>, times: number): void {
  for (let count = 0; count < times; count += 1) {
    poll.active(count % 2 === 0 ? upstream : client);
    pass(0.05);
  }
}

describe('BusyPoll', () => {
  it('keeps polling while bytes arrive', () => {
    const it = polled();
    exchange(it, 100);
    expect(it.looks()).toBe(true);
  });

  it('sleeps soon after the last of it', () => {
    const it = polled();
    exchange(it, 100);
    it.pass(0.3);
    expect(it.looks()).toBe(false);
  });

  it('polls again later if it paid off before', () => {
    const it = polled();
    exchange(it, 100);
    it.pass(1000);
    it.poll.active(it.client);
    expect(it.looks()).toBe(true);
  });

  it('gives up if nothing arrives in time, and tries again less and less often', () => {
    const it = polled();
    const lookedAt: number[] = [];
    for (let turn = 0; turn < 1100; turn += 1) {
      it.poll.active(it.client);
      if (it.looks()) lookedAt.push(turn);
      it.pass(5);
    }
    expect(lookedAt.slice(1).map((turn, index) => turn - (lookedAt[index] ?? 0) - 1)).toEqual([
      8, 16, 32, 64, 128, 256, 256, 256,
    ]);
  });

  it('gives up if too little arrives in time', () => {
    const it = polled();
    let looked = 0;
    for (let turn = 0; turn < 640; turn += 1) {
      it.poll.active(it.client);
      if (it.looks()) looked += 1;
      it.pass(turn % 2 === 0 ? 0.05 : 5);
    }
    expect(looked).toBeLessThan(20);
  });

  it('notices when polling pays off again', () => {
    const it = polled();
    for (let turn = 0; turn < 1100; turn += 1) {
      it.poll.active(it.client);
      it.pass(5);
    }
    expect(it.looks()).toBe(false);
    exchange(it, 300);
    expect(it.looks()).toBe(true);
  });

  it('stops while several connections are active, until long after', () => {
    const it = polled();
    exchange(it, 100);
    it.poll.crowded();
    it.pass(0.01);
    expect(it.looks()).toBe(false);
    exchange(it, 15);
    expect(it.looks()).toBe(false);
    exchange(it, 10);
    expect(it.looks()).toBe(true);
  });

  it('does not poll if three connections take turns', () => {
    const it = polled();
    const sockets = [{}, {}, {}];
    for (let turn = 0; turn < 300; turn += 1) {
      it.poll.active(sockets[turn % 3] ?? {});
      expect(it.looks()).toBe(false);
      it.pass(0.05);
    }
  });

  it('leaves the only core to others', () => {
    const it = polled(1);
    exchange(it, 100);
    expect(it.looks()).toBe(false);
  });
});
