import net from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { GatheredWriter } from '../../../../../../electron/engine/http/gathered-writer.ts';
import { Departure } from '../../../../../../electron/engine/upstream/h1/departure.ts';

const LARGE = 20_000;

/** A request of so many bytes, and the system's queue at a given time. No kernel is asked. */
function scene(size: number) {
  const state = { now: 1000, unsent: 0 as number | null, isLoaded: true, asked: 0, pauses: [] as number[] };
  const due: (() => void)[] = [];
  const writer = new GatheredWriter(new PassThrough().resume());
  const departure = new Departure(new net.Socket(), writer, {
    ask: () => {
      if (!state.isLoaded) return null;
      return () => {
        state.asked += 1;
        return state.unsent;
      };
    },
    now: () => state.now,
    later: (run, milliseconds) => {
      state.pauses.push(milliseconds);
      due.push(run);
      return setTimeout(() => {}, 0).unref();
    },
  });
  writer.begin();
  departure.begin();
  writer.write(Buffer.alloc(size));
  writer.goOut();
  departure.ended();
  /** Time passes, then the queue holds so many bytes, and the next look is due. */
  const pass = (milliseconds: number, unsent: number): void => {
    state.now += milliseconds;
    state.unsent = unsent;
    due.shift()?.();
  };
  return { state, writer, departure, pass };
}

it('a small request has left with its write, and costs no call', () => {
  const { state, writer, departure } = scene(1000);
  departure.whenOut(() => {});
  expect(departure.lastAt).toBe(writer.lastAt);
  expect(state).toMatchObject({ asked: 0, pauses: [] });
});

it('a large one whose bytes the network takes at once has left with its write', () => {
  const { state, writer, departure } = scene(LARGE);
  expect(departure.lastAt).toBe(writer.lastAt);
  expect(state.asked).toBe(1);
  expect(departure.lastAt).toBe(writer.lastAt);
  expect(state.asked).toBe(1);
});

it('a large one leaves when the queue is empty', () => {
  const { state, departure, pass } = scene(LARGE);
  const told: number[] = [];
  state.unsent = 10_000;
  expect(departure.lastAt).toBe(-1);
  departure.whenOut(() => told.push(departure.lastAt));
  pass(1, 10_000);
  expect(told).toEqual([]);
  pass(1, 0);
  expect(told).toEqual([1002]);
  expect(departure.lastAt).toBe(1002);
});

it('looks again after half the time that the rest needs at the speed so far', () => {
  const { state, departure, pass } = scene(LARGE);
  state.unsent = 10_000;
  expect(departure.lastAt).toBe(-1);
  departure.whenOut(() => {});
  pass(10, 8000);
  pass(20, 4000);
  pass(10, 2000);
  pass(9, 200);
  expect(state.pauses).toEqual([1, 20, 10, 5, 1]);
});

it('bytes that leave while the thread has no time leave at the speed from before', () => {
  const { state, departure, pass } = scene(LARGE);
  state.unsent = 10_000;
  expect(departure.lastAt).toBe(-1);
  departure.whenOut(() => {});
  pass(10, 5000);
  pass(500, 0);
  expect(departure.lastAt).toBe(1020);
});

it('where the system does not tell, a request has left when the system has it', () => {
  const { state, writer, departure } = scene(LARGE);
  state.unsent = null;
  expect(departure.lastAt).toBe(writer.lastAt);
});

it('waits while the call is loaded, until the response comes', () => {
  const { state, writer, departure } = scene(LARGE);
  state.isLoaded = false;
  expect(departure.lastAt).toBe(-1);
  departure.responded();
  expect(departure.lastAt).toBe(writer.lastAt);
});

it('forgets the request before', () => {
  const { state, writer, departure, pass } = scene(LARGE);
  state.unsent = 10_000;
  expect(departure.lastAt).toBe(-1);
  let told = 0;
  departure.whenOut(() => {
    told += 1;
  });
  writer.begin();
  departure.begin();
  pass(1, 0);
  expect(told).toBe(0);
  writer.write(Buffer.alloc(10));
  writer.goOut();
  departure.ended();
  expect(departure.lastAt).toBe(writer.lastAt);
});
