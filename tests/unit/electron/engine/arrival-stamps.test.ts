import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { arrivalStamps } from '../../../../electron/engine/arrival-stamps.ts';
import { descriptorOf } from '../../../../electron/engine/listen/descriptors.ts';

/** Two ends of a connection; what `far` sends stays unread. */
async function connection() {
  const server = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [net.Socket];
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  return { far, near, descriptor: descriptorOf(near) };
}

async function loaded() {
  await vi.waitFor(() => expect(arrivalStamps()).not.toBeNull());
  const stamps = arrivalStamps();
  if (stamps === null) throw new Error('there are no stamps');
  return stamps;
}

describe.skipIf(process.platform !== 'linux')('the stamps of Linux', () => {
  test('a look finds what has arrived and was not read, once, with the time since then', async () => {
    const stamps = await loaded();
    const { far, descriptor } = await connection();
    expect(stamps.watch(descriptor)).toBe(true);
    const before = performance.now();
    far.write('hello');
    const found: [number, number][] = [];
    const look = () =>
      stamps.look(0, (of, waiting, ago) => {
        if (of === descriptor) found.push([waiting, ago ?? Number.NaN]);
      });
    await vi.waitFor(() => {
      look();
      expect(found).toHaveLength(1);
    });
    const [[waiting, ago]] = found as [[number, number]];
    expect(waiting).toBe(5);
    expect(ago).toBeGreaterThanOrEqual(0);
    expect(ago).toBeLessThanOrEqual(performance.now() - before);
    look();
    expect(found).toHaveLength(1);
    far.write(' world');
    await vi.waitFor(() => {
      look();
      expect(found.at(-1)?.[0]).toBe(11);
    });
  });

  test('after a pause, a look tells apart what came one after the other', async () => {
    const stamps = await loaded();
    const { far, descriptor } = await connection();
    stamps.watch(descriptor);
    for (const text of ['one', 'three', 'fourteen']) await new Promise((sent) => far.write(text, sent));
    const now = performance.now();
    const found: [number, number][] = [];
    await vi.waitFor(() => {
      stamps.look(1000, (of, waiting, ago) => {
        if (of === descriptor) found.push([waiting, ago ?? Number.NaN]);
      });
      expect(found.at(-1)?.[0]).toBe(16);
    });
    // The kernel may have joined some: their last stamp stays.
    expect([3, 8, 16]).toEqual(expect.arrayContaining(found.map(([waiting]) => waiting)));
    const times = found.map(([, ago]) => now - ago);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test.each([
    ['alone', ''],
    ['after bytes', 'hello'],
  ])('a look leaves a reset to the reader: %s', async (_which, text) => {
    const stamps = await loaded();
    const { far, near, descriptor } = await connection();
    stamps.watch(descriptor);
    if (text !== '') await new Promise((sent) => far.write(text, sent));
    far.resetAndDestroy();
    await vi.waitFor(() => expect(far.closed).toBe(true));
    for (let looks = 0; looks < 20; looks += 1) {
      stamps.look(1000, () => {});
      await new Promise((resolve) => setImmediate(resolve));
    }
    const failed = once(near, 'error');
    near.resume();
    expect((await failed)[0]).toMatchObject({ code: 'ECONNRESET' });
  });

  test('a socket can be watched twice, as those below TLS are, and a closed one not at all', async () => {
    const stamps = await loaded();
    const { descriptor } = await connection();
    expect([stamps.watch(descriptor), stamps.watch(descriptor), stamps.watch(-1)]).toEqual([true, true, false]);
  });
});

test.skipIf(process.platform === 'linux')('other systems have no stamps', async () => {
  const stamps = await loaded();
  expect(stamps.watch(1)).toBe(false);
});
