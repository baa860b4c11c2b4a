import { once } from 'node:events';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Arrivals } from '../../../../electron/engine/arrivals.ts';

/** A simulated event loop: it works, sleeps and waits for a core for the given milliseconds. */
function loop() {
  let now = 1000;
  let slept = 0;
  let waited = 0;
  let polled: (() => void) | null = null;
  const system = { ago: null as number | null, isLoaded: true, asked: 0 };
  /** What the next look finds about the socket. */
  let found: { waiting: number; ago: number | null } | null = null;
  let areStamped = false;
  const socket = new net.Socket();
  const arrivals = new Arrivals({
    now: () => now,
    slept: () => slept,
    waited: () => waited,
    received: () => {
      if (!system.isLoaded) return null;
      return {
        tick: 4,
        ago: () => {
          system.asked += 1;
          return system.ago;
        },
      };
    },
    stamps: () => ({
      watch: () => areStamped,
      look: (_since, stamped) => {
        if (found !== null) stamped(-1, found.waiting, found.ago);
        found = null;
      },
    }),
    afterPoll: (run) => {
      polled = run;
    },
  });
  return {
    arrivals,
    system,
    /** Reads bytes of a socket that the system may be asked about. */
    readsOf: (bytes: number, areSeveral = false) => {
      arrivals.read(socket, bytes, areSeveral);
      return arrivals.at;
    },
    /** From now on, the system stamps the socket's bytes. */
    watches: () => {
      areStamped = true;
      arrivals.read(socket, 0);
    },
    /** The next look finds that so many bytes wait, and how long ago the last came. */
    finds: (waiting: number, ago: number | null) => {
      found = { waiting, ago };
    },
    works: (ms: number) => {
      now += ms;
    },
    /** `forCore`: of it, how long it was ready to run. */
    sleeps: (ms: number, forCore = 0) => {
      now += ms;
      slept += ms;
      waited += forCore;
    },
    reads: () => {
      arrivals.read();
      return arrivals.at;
    },
    turnEnds: () => {
      const run = polled;
      polled = null;
      run?.();
    },
  };
}

/** One that has read something: its clocks are known. */
function startedLoop() {
  const it = loop();
  it.reads();
  it.turnEnds();
  return it;
}

/** One whose socket's bytes are stamped. */
function watchedLoop() {
  const it = startedLoop();
  it.watches();
  it.turnEnds();
  return it;
}

it('bytes that woke the loop arrived as it woke', () => {
  const { sleeps, works, reads } = startedLoop();
  sleeps(10);
  works(0.02);
  expect(reads()).toBeCloseTo(1010, 6);
});

it('all bytes read in one turn arrived by its first read, however long processing took', () => {
  const { sleeps, works, reads } = startedLoop();
  sleeps(10);
  reads();
  works(5);
  expect(reads()).toBeCloseTo(1010, 6);
});

it('bytes that arrived while the loop was busy may have arrived right after its last poll', () => {
  const { sleeps, works, reads, turnEnds } = startedLoop();
  sleeps(10);
  reads();
  works(3);
  turnEnds();
  works(1);
  expect(reads()).toBeCloseTo(1010, 6);
});

it('a poll in between narrows it down', () => {
  const { sleeps, works, reads, turnEnds } = startedLoop();
  sleeps(10);
  reads();
  works(3);
  turnEnds();
  works(1);
  turnEnds();
  works(1);
  expect(reads()).toBeCloseTo(1013, 6);
});

it('waiting for a core is not waiting for bytes', () => {
  const { sleeps, reads } = startedLoop();
  sleeps(10, 4);
  expect(reads()).toBeCloseTo(1006, 6);
});

it('a wait for a core from before it slept takes no more than the sleep', () => {
  const { sleeps, reads } = startedLoop();
  sleeps(10, 40);
  expect(reads()).toBeCloseTo(1000, 6);
});

it('work on a timer before the loop slept costs no more than the bound of a read', () => {
  const { sleeps, works, reads } = startedLoop();
  works(7);
  sleeps(10);
  works(0.02);
  expect(reads()).toBeCloseTo(1016.92, 6);
});

it('a turn that reports the end of its writes is known to the end', () => {
  const { arrivals, sleeps, works, reads } = startedLoop();
  works(7);
  arrivals.worked();
  sleeps(10);
  works(0.02);
  expect(reads()).toBeCloseTo(1017, 6);
});

it('a small message that arrived during a long turn arrived a tick before its last segment at the earliest', () => {
  const { system, works, readsOf, turnEnds } = startedLoop();
  turnEnds();
  works(200);
  system.ago = 30;
  expect(readsOf(500)).toBeCloseTo(1166, 6);
});

it('what may be several messages arrived at any time during a long turn', () => {
  const { system, works, readsOf, turnEnds } = startedLoop();
  turnEnds();
  works(200);
  system.ago = 30;
  expect(readsOf(500_000)).toBeCloseTo(1000, 6);
  expect(readsOf(500, true)).toBeCloseTo(1000, 6);
});

it('bytes arrived no later than a tick after the last segment: the thread waited for a core unnoticed', () => {
  const { system, sleeps, readsOf } = startedLoop();
  sleeps(200);
  system.ago = 188;
  expect(readsOf(500)).toBeCloseTo(1016, 6);
  expect(readsOf(500, true)).toBeCloseTo(1016, 6);
});

it('a signal that ended a long poll, as after SIGSTOP, left bytes behind: the next poll asks when they arrived', () => {
  const { system, sleeps, works, readsOf, turnEnds } = startedLoop();
  sleeps(3000);
  turnEnds();
  works(0.1);
  system.ago = 2500;
  expect(readsOf(500)).toBeCloseTo(1504.1, 6);
});

it('keeps what the loop knows where the system agrees, knows nothing or is not there yet', () => {
  const { system, sleeps, readsOf } = startedLoop();
  sleeps(200);
  system.ago = 0;
  expect(readsOf(500)).toBeCloseTo(1200, 6);
  system.ago = null;
  expect(readsOf(500)).toBeCloseTo(1200, 6);
  system.isLoaded = false;
  expect(readsOf(500)).toBeCloseTo(1200, 6);
});

it('does not ask the system while turns are short', () => {
  const { system, sleeps, works, readsOf, turnEnds } = startedLoop();
  sleeps(3);
  readsOf(500);
  works(2);
  turnEnds();
  works(1);
  readsOf(500);
  expect(system.asked).toBe(0);
});

it('bytes that a look found during a long turn arrived at their stamp', () => {
  const { arrivals, works, readsOf, finds } = watchedLoop();
  works(5);
  finds(500, 2);
  arrivals.worked();
  works(0.1);
  expect(readsOf(500)).toBeCloseTo(1003, 6);
});

it('bytes that no look found arrived after the last look before the poll', () => {
  const { arrivals, works, readsOf } = watchedLoop();
  works(5);
  arrivals.worked();
  works(0.1);
  expect(readsOf(500)).toBeCloseTo(1005, 6);
});

it('bytes that came with others arrived after the look before them, and after the sleep', () => {
  const { sleeps, works, readsOf, reads, finds } = watchedLoop();
  sleeps(10);
  works(0.02);
  finds(900, 0.01);
  reads();
  expect(readsOf(300)).toBeCloseTo(1010, 6);
});

it('a turn looks for bytes after some of its work, not after each piece', () => {
  const { arrivals, works, readsOf, finds } = watchedLoop();
  works(0.05);
  finds(500, 0.01);
  arrivals.passing();
  works(4);
  arrivals.passing();
  expect(readsOf(500)).toBeCloseTo(1004.04, 6);
});

it('a stamp counts more than what the loop knows: the process may have been stopped', () => {
  const { sleeps, readsOf, turnEnds, finds } = watchedLoop();
  sleeps(3000);
  finds(500, 2500);
  turnEnds();
  expect(readsOf(500)).toBeCloseTo(1500, 6);
});

it('a stamp that the system can’t give leaves the look before it', () => {
  const { arrivals, works, readsOf, finds } = watchedLoop();
  works(5);
  finds(500, null);
  arrivals.worked();
  expect(readsOf(500)).toBeCloseTo(1000, 6);
});

it('bytes of a connection that was reset arrived after the last poll', () => {
  const { arrivals, works, readsOf, finds } = watchedLoop();
  works(5);
  finds(0, null);
  arrivals.worked();
  expect(readsOf(500)).toBeCloseTo(1000, 6);
});

it('on the thread itself: bytes from before a long piece of work count from before it', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  const arrivals = new Arrivals();
  const heard = (): Promise<number> =>
    new Promise((resolve) => {
      accepted.once('data', () => {
        arrivals.read();
        resolve(arrivals.at);
      });
    });
  const first = heard();
  client.write('1');
  await first;
  const second = heard();
  client.write('2');
  const written = performance.now();
  // Busy, on a machine of any speed.
  for (let now = written; now < written + 20; ) now = performance.now();
  expect(await second).toBeLessThanOrEqual(written);
});
