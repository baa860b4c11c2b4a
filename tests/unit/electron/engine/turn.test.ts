import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BusyPoll } from '../../../../electron/engine/busy-poll.ts';
import { type Afterwards, leftAt, type Outgoing, Turn } from '../../../../electron/engine/turn.ts';

/** What happened, in its order. */
function log() {
  const events: string[] = [];
  return {
    events,
    outgoing: (name: string): Outgoing => ({
      goOut: () => void events.push(name),
      internalError: (error) => void events.push(`${name} failed: ${error}`),
    }),
    work: (name: string): Afterwards => ({
      out: () => void events.push(name),
      internalError: (error) => void events.push(`${name} failed: ${error}`),
    }),
  };
}

describe('a turn', () => {
  it('writes what was added at its end, and then does what was to be done afterwards', async () => {
    const turn = new Turn();
    const { events, outgoing, work } = log();
    turn.add(outgoing('one'));
    turn.afterwards(work('record one'));
    turn.add(outgoing('two'));
    turn.afterwards(work('record two'));
    expect(events).toEqual([]);
    await nextTurn();
    expect(events).toEqual(['one', 'two', 'record one', 'record two']);
    await nextTurn();
    expect(events).toHaveLength(4);
  });

  it('runs afterwork immediately if nothing waits', () => {
    const { events, work } = log();
    new Turn().afterwards(work('record'));
    expect(events).toEqual(['record']);
  });

  it('reports when everything was sent: later than the last write', async () => {
    const turn = new Turn();
    let written = Number.POSITIVE_INFINITY;
    let told = -1;
    turn.add({
      goOut: () => {
        written = performance.now();
      },
      internalError: () => undefined,
    });
    turn.afterwards({
      out: () => {
        told = performance.now();
      },
      internalError: () => undefined,
    });
    await nextTurn();
    expect(told).toBeGreaterThanOrEqual(written);
  });

  it('assumes no more time for a write than an uninterrupted one takes', () => {
    const before = performance.now() - 1000;
    expect(leftAt(before) - before).toBeCloseTo(0.05, 6);
    const now = performance.now();
    expect(leftAt(now)).toBeGreaterThanOrEqual(now);
  });

  it('ends only the exchange that threw, and continues with the others', async () => {
    const turn = new Turn();
    const { events, outgoing, work } = log();
    const faulty: Afterwards = {
      ...work('faulty'),
      out: () => {
        throw new Error('a fault');
      },
    };
    turn.add(outgoing('one'));
    turn.afterwards(faulty);
    turn.afterwards(work('next'));
    await nextTurn();
    expect(events).toEqual(['one', 'faulty failed: Error: a fault', 'next']);
    turn.afterwards(faulty);
    expect(events.at(-1)).toBe('faulty failed: Error: a fault');
  });

  it('ends only the socket that threw, and writes to the others', async () => {
    const turn = new Turn();
    const { events, outgoing, work } = log();
    const goOut = (): void => {
      throw new Error('a fault');
    };
    turn.add({ ...outgoing('one'), goOut });
    turn.add(outgoing('two'));
    turn.afterwards(work('record'));
    await nextTurn();
    expect(events).toEqual(['one failed: Error: a fault', 'two', 'record']);
  });

  it('leaves work that arrives while it ends to the next turn', async () => {
    const turn = new Turn();
    const { events, outgoing, work } = log();
    turn.add({
      ...outgoing('one'),
      goOut: () => {
        events.push('one');
        turn.add(outgoing('two'));
        turn.afterwards(work('record two'));
      },
    });
    await nextTurn();
    expect(events).toEqual(['one']);
    await nextTurn();
    expect(events).toEqual(['one', 'two', 'record two']);
  });

  it('does work that arrives while bytes go out after all of them', async () => {
    const turn = new Turn();
    const { events, outgoing, work } = log();
    turn.add({
      ...outgoing('one'),
      goOut: () => {
        events.push('one');
        turn.afterwards(work('record two'));
      },
    });
    turn.add(outgoing('two'));
    await nextTurn();
    expect(events).toEqual(['one', 'two', 'record two']);
  });

  it('sends single writes immediately, and tries again after some', async () => {
    const turn = new Turn();
    const { outgoing } = log();
    const taken = async () => {
      const answer = turn.takes(outgoing('one'));
      await nextTurn();
      return answer;
    };
    const answers: boolean[] = [];
    for (let count = 0; count < 35; count += 1) answers.push(await taken());
    expect(answers.flatMap((answer, index) => (answer ? [index] : []))).toEqual([0, 17, 34]);
  });

  it('keeps gathering while there is more than one', async () => {
    const turn = new Turn();
    const { events, outgoing } = log();
    for (let count = 0; count < 5; count += 1) {
      expect([turn.takes(outgoing('one')), turn.takes(outgoing('two'))]).toEqual([true, true]);
      await nextTurn();
    }
    expect(events).toHaveLength(10);
  });

  it('keeps no more than some waiting', () => {
    const turn = new Turn();
    const { outgoing } = log();
    const answers = Array.from({ length: 100 }, () => turn.takes(outgoing('one')));
    expect(answers.filter(Boolean)).toHaveLength(64);
    expect(answers.indexOf(false)).toBe(64);
  });

  it('polls only while the setting is on', async () => {
    let looks = 0;
    const nextLook = (): void => {
      looks += 1;
    };
    const turn = new Turn(new BusyPoll({ now: () => 0, nextTurn: nextLook }, 2));
    const socket = log().outgoing('one');
    // A new socket is a crowd for some turns.
    const pass = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        turn.takes(socket);
        await nextTurn();
      }
    };
    await pass();
    expect(looks).toBe(0);
    turn.busyPoll = true;
    await pass();
    expect(looks).toBe(1);
  });
});
