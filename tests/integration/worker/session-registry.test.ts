import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { getThrough, helloOrigin, mortalRuntime } from '../../support/mortal-runtime.ts';

/** A runtime that recorded /first into first.roundtrip, and now records /second into s.roundtrip. */
async function twoSessions() {
  const all = await mortalRuntime();
  const { runtime, folder, session } = all;
  await runtime.start();
  const url = await helloOrigin();
  const first = path.join(folder, 'first.roundtrip');
  await runtime.recordInto(first);
  await getThrough(runtime.status().proxyUrl, `${url}/first`);
  await runtime.recordInto(session);
  await getThrough(runtime.status().proxyUrl, `${url}/second`);
  return { ...all, first };
}

const ALL = { after: 0, limit: 10 };

it('an opened session is read beside the one that is being recorded', async () => {
  const { runtime, heard, first, session } = await twoSessions();
  const opened = await runtime.sessions.open(first);
  expect(heard.open).toEqual([['s.roundtrip', 'first.roundtrip']]);
  const recorded = await runtime.recorded.info();
  expect(await runtime.sessions.list()).toMatchObject([
    { path: session },
    { id: opened.id, path: first, exchanges: 1 },
  ]);
  const pathsOf = async (id: string) => (await runtime.sessions.of(id).page(ALL)).rows.map((row) => row.path);
  expect(await pathsOf(opened.id)).toEqual(['/first']);
  expect(await pathsOf(recorded.id)).toEqual(['/second']);
  const body = await runtime.sessions
    .of(opened.id)
    .readBody({ id: 1, side: 'response', form: 'raw', offset: 0, length: 9 });
  expect(Buffer.from(body.data, 'base64').toString()).toBe('hello');
  await getThrough(runtime.status().proxyUrl, `${await helloOrigin()}/third`);
  expect(await pathsOf(recorded.id)).toEqual(['/second', '/third']);
  expect(await pathsOf(opened.id)).toEqual(['/first']);
});

it('a session that was closed, or cleared, is not open', async () => {
  const { runtime, heard, first } = await twoSessions();
  const { id } = await runtime.sessions.open(first);
  await runtime.sessions.close(id);
  expect(heard.open.at(-1)).toEqual(['s.roundtrip']);
  const refusal = { code: 'session.not-open' };
  await expect(runtime.sessions.of(id).page(ALL)).rejects.toMatchObject(refusal);
  await expect(runtime.sessions.close(id)).rejects.toMatchObject(refusal);
  const recorded = await runtime.recorded.info();
  await expect(runtime.sessions.close(recorded.id)).rejects.toMatchObject(refusal);
  const cleared = await runtime.clearSession();
  await expect(runtime.sessions.of(recorded.id).exchange(1)).rejects.toMatchObject(refusal);
  expect(await runtime.sessions.of(cleared.id).page(ALL)).toEqual({ rows: [], more: false, badRows: 0 });
});

it('a file is opened once, however often it is asked for', async () => {
  const { runtime, heard, first, session } = await twoSessions();
  const [one, other] = await Promise.all([runtime.sessions.open(first), runtime.sessions.open(first)]);
  expect(other).toEqual(one);
  expect((await runtime.sessions.open(session)).id).toBe((await runtime.recorded.info()).id);
  expect(heard.open).toEqual([['s.roundtrip', 'first.roundtrip']]);
});

it('a copy of an open session is refused, and named', async () => {
  const { runtime, folder, first } = await twoSessions();
  await runtime.sessions.open(first);
  const copy = path.join(folder, 'copy.roundtrip');
  fs.copyFileSync(first, copy);
  await expect(runtime.sessions.open(copy)).rejects.toMatchObject({
    code: 'session.open-already',
    message: expect.stringContaining(first),
  });
});

it('a file that is not a session is refused, and no thread stays', async () => {
  const { runtime, heard, folder } = await twoSessions();
  const threads = () => process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;
  await runtime.recorded.info();
  const before = threads();
  await expect(runtime.sessions.open(path.join(folder, 'none.roundtrip'))).rejects.toMatchObject({
    code: 'session.open-failed',
  });
  expect(heard.open).toEqual([]);
  await expect.poll(threads).toBe(before);
});
