import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { type RawOrigin, rawOrigin } from '../../support/raw-origin.ts';

const ok = (more = ''): string => `HTTP/1.1 200 OK\r\n${more}Content-Length: 2\r\n\r\nok`;

/** Holds every answer until it is told to give them. */
async function holding(more = ''): Promise<RawOrigin & { answer: () => void; held: (count: number) => Promise<void> }> {
  let held: net.Socket[] = [];
  let open = false;
  const origin = await rawOrigin((socket, received) => {
    if (!received.endsWith('\r\n\r\n')) return;
    if (open) socket.write(ok(more));
    else held.push(socket);
  });
  return {
    ...origin,
    answer: () => {
      open = true;
      for (const socket of held) socket.write(ok(more));
      held = [];
    },
    held: async (count) => {
      while (held.length < count) await new Promise((resume) => setTimeout(resume, 5));
    },
  };
}

const get = (through: TestEngine, origin: RawOrigin, path = '/'): ReturnType<typeof curl> =>
  curl(through, `http://127.0.0.1:${origin.port}${path}`);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_each, index) => make(index));

// design, "Sockets"
describe('connections to one origin', () => {
  it('are no more than the limit; who comes later waits, and nobody is forgotten', async () => {
    const origin = await holding();
    const through = await testEngine({}, { socketsPerOrigin: 2 });
    const asked = times(6, () => get(through, origin));
    await origin.held(2);
    while (through.engine.connections().client < 6) await new Promise((resume) => setTimeout(resume, 5));
    expect(origin.connections()).toBe(2);
    origin.answer();
    expect((await Promise.all(asked)).map((each) => each.stdout)).toEqual(times(6, () => 'ok'));
    expect(origin.connections()).toBe(2);
  });

  it('make room for who waits when they end, too', async () => {
    const origin = await holding('Connection: close\r\n');
    const through = await testEngine({}, { socketsPerOrigin: 1 });
    const asked = times(4, () => get(through, origin));
    await origin.held(1);
    origin.answer();
    expect((await Promise.all(asked)).map((each) => each.stdout)).toEqual(times(4, () => 'ok'));
    expect(origin.connections()).toBe(4);
  });

  it('are not given to who has gone away while waiting', async () => {
    const origin = await holding();
    const through = await testEngine({}, { socketsPerOrigin: 1 });
    const first = get(through, origin, '/first');
    await origin.held(1);
    const leaving = net.connect(through.port, '127.0.0.1');
    leaving.write(`GET http://127.0.0.1:${origin.port}/left HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`);
    while (through.engine.connections().client < 2) await new Promise((resume) => setTimeout(resume, 5));
    const last = get(through, origin, '/last');
    while (through.engine.connections().client < 3) await new Promise((resume) => setTimeout(resume, 5));
    leaving.resetAndDestroy();
    await through.clientCount(2);
    origin.answer();
    expect([(await first).stdout, (await last).stdout]).toEqual(['ok', 'ok']);
    expect(origin.received()).not.toContain('/left');
  });

  it('that are idle are no more than their own limit', async () => {
    const origin = await holding();
    const through = await testEngine({}, { idleSocketsPerOrigin: 1 });
    const asked = times(3, () => get(through, origin));
    await origin.held(3);
    origin.answer();
    await Promise.all(asked);
    await through.upstreamCount(1);
  });

  it('that are idle are closed after their time', async () => {
    const origin = await holding();
    origin.answer();
    const through = await testEngine({}, { idleSocketTime: 40 });
    expect((await get(through, origin)).stdout).toBe('ok');
    await through.upstreamCount(0);
  });

  it('stay with the client that had them', async () => {
    const origin = await holding();
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}`;
    const asked = times(2, (index) => curl(through, `${url}/${index}`, `${url}/${index}/again`));
    await origin.held(2);
    origin.answer();
    await Promise.all(asked);
    const of = (path: string) => through.seen.all.find((each) => each.request.path === path)?.upstream?.id;
    expect([of('/0/again'), of('/1/again')]).toEqual([of('/0'), of('/1')]);
    expect(of('/0')).not.toBe(of('/1'));
  });
});
