import { expect, it } from 'vitest';
import { getThrough, helloOrigin, mortalRuntime } from '../../support/mortal-runtime.ts';

const NEWEST = { after: null, limit: 10 };
const ports = () => process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;

it('a session without exchanges is read without a thread that reads it', async () => {
  const { runtime, session } = await mortalRuntime();
  await runtime.start();
  const before = ports();
  const empty = await runtime.recorded.info();
  expect(empty).toEqual({ id: expect.any(String), path: session, exchanges: 0, bytes: expect.any(Number) });
  expect(empty.bytes).toBeGreaterThan(0);
  expect(await runtime.recorded.rows(NEWEST)).toMatchObject({ count: 0, more: false });
  expect(await runtime.sessions.of(empty.id).edits()).toEqual({ removed: [], marks: [] });
  const { session: opened, edits, newest } = await runtime.recorded.opening(10);
  expect({ opened, edits }).toEqual({ opened: empty, edits: { removed: [], marks: [] } });
  expect(newest).toMatchObject({ count: 0, more: false });
  expect(ports()).toBe(before);
  await getThrough(runtime.status().proxyUrl, await helloOrigin());
  expect(await runtime.recorded.info()).toMatchObject({ id: empty.id, path: session, exchanges: 1 });
  expect(await runtime.sessions.of(empty.id).rows(NEWEST)).toMatchObject({ count: 1 });
  expect(await runtime.recorded.opening(10)).toMatchObject({
    session: { id: empty.id, exchanges: 1 },
    edits: { removed: [], marks: [] },
    newest: await runtime.recorded.rows(NEWEST),
  });
});

it('a window that asks while the engine starts waits for it', async () => {
  const { runtime, session } = await mortalRuntime();
  const starting = runtime.start();
  expect(await runtime.recorded.info()).toMatchObject({ path: session, exchanges: 0 });
  expect(runtime.status().state).toBe('running');
  await starting;
});

it('a window that asks while the start is still being prepared waits for it', async () => {
  const { runtime, session } = await mortalRuntime();
  let goOn = (): void => undefined;
  const prepared = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const starting = runtime.start(undefined, () => prepared);
  const asked = [runtime.recorded.info(), runtime.recorded.info()];
  goOn();
  expect(await Promise.all(asked)).toMatchObject([{ path: session }, { path: session }]);
  await starting;
});

it('a window that waits for a start that fails gets a reply', async () => {
  const { runtime } = await mortalRuntime();
  const starting = runtime.start(undefined, () => Promise.reject(new Error('no facts')));
  const asked = runtime.recorded.info();
  await expect(starting).rejects.toThrow('no facts');
  await expect(asked).rejects.toMatchObject({ code: 'session.open-failed' });
});

it('another session than the empty one is not open', async () => {
  const { runtime } = await mortalRuntime();
  await runtime.start();
  const other = runtime.sessions.of('another');
  await expect(other.info()).rejects.toMatchObject({ code: 'session.not-open' });
  await expect(other.rows(NEWEST)).rejects.toMatchObject({ code: 'session.not-open' });
});

it('a session that was cleared before its first exchange has another id, and is as empty', async () => {
  const { runtime } = await mortalRuntime();
  await runtime.start();
  const before = await runtime.recorded.info();
  const cleared = await runtime.clearSession();
  expect(cleared.id).not.toBe(before.id);
  expect(await runtime.recorded.rows(NEWEST)).toMatchObject({ count: 0 });
  await expect(runtime.sessions.of(before.id).rows(NEWEST)).rejects.toMatchObject({ code: 'session.not-open' });
});
