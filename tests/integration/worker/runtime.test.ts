import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCertificateAuthority } from '../../../electron/engine/ca/certificate-authority.ts';
import { Runtime } from '../../../electron/worker/runtime.ts';
import { NO_RULES, type RuleList } from '../../../shared/model/rule/rule.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { getThrough, Heard, helloOrigin, mortalRuntime } from '../../support/mortal-runtime.ts';
import { received } from '../../support/received-batch.ts';
import { DIST } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function start() {
  const all = await mortalRuntime();
  await all.runtime.start();
  return all;
}

async function paths(runtime: Runtime): Promise<string[]> {
  return (await runtime.recorded.page({ after: 0, limit: 100 })).rows.map((row) => row.path);
}

describe('runtime', () => {
  it('records what passes, to be read at once', async () => {
    const { runtime } = await start();
    const url = await helloOrigin();
    expect(await getThrough(runtime.status().proxyUrl, `${url}/one`)).toBe('hello');
    expect(await paths(runtime)).toEqual(['/one']);
    expect(await runtime.recorded.info()).toMatchObject({ exchanges: 1 });
    const body = await runtime.recorded.readBody({ id: 1, side: 'response', form: 'raw', offset: 0, length: 10 });
    expect(Buffer.from(body.data, 'base64').toString()).toBe('hello');
  });

  it('runs the scripts of rules on a separate thread, and keeps their output', async () => {
    const { runtime, heard } = await start();
    const code = `function onRequest(request) {
      console.log(request.method);
      if (request.url.endsWith('/loop')) for (;;);
      return { body: 'scripted' };
    }`;
    const rules = [{ name: 'a', enabled: true, when: '', do: [{ script: { code, body: true } }] }];
    await runtime.applyRules({ ...NO_RULES, rules });
    const url = await helloOrigin();
    expect(await getThrough(runtime.status().proxyUrl, `${url}/one`)).toBe('scripted');
    const looping = getThrough(runtime.status().proxyUrl, `${url}/loop`);
    expect(await getThrough(runtime.status().proxyUrl, `${url}/two`)).toBe('scripted');
    expect(await looping).toBe('hello');
    // The engine's reports arrive over another channel than its replies.
    await expect.poll(() => heard.console.filter((line) => line === 'a: GET').length).toBe(3);
    await expect.poll(() => heard.console.some((line) => line.includes('more than 1 s'))).toBe(true);
  });

  it('feeds only while a window subscribes', async () => {
    const { runtime, heard } = await start();
    const url = await helloOrigin();
    await getThrough(runtime.status().proxyUrl, `${url}/unseen`);
    expect(await runtime.setFeedWanted(true)).toBe(0);
    await getThrough(runtime.status().proxyUrl, `${url}/seen`);
    await runtime.setFeedWanted(false);
    const seen = heard.batches.flatMap((batch) => received(batch).rows.map((row) => row.path));
    expect(seen.filter((one) => one !== '/seen')).toEqual([]);
  });

  it('restarts the engine when it dies, at the same address, with the session intact', async () => {
    const { runtime, heard, kill } = await start();
    const url = await helloOrigin();
    const { proxyUrl } = runtime.status();
    await getThrough(proxyUrl, `${url}/before`);
    await runtime.recorded.info();
    const again = heard.until(({ state }) => state === 'running' && heard.failures.length === 1);
    kill('engine');
    await again;
    expect(runtime.status()).toMatchObject({ proxyUrl, failure: { code: 'engine.thread-died' } });
    expect(heard.failures).toEqual(['engine.thread-died']);
    await getThrough(proxyUrl, `${url}/after`);
    expect(await paths(runtime)).toEqual(['/before', '/after']);
  });

  it('applies the rules from the first exchange of each life of the engine', async () => {
    const { runtime, heard, kill } = await mortalRuntime();
    const answering = (body: string): RuleList => ({
      ...NO_RULES,
      rules: [
        { name: 'a', enabled: true, when: '', do: [{ answer: { status: 200, headers: [], body, cors: false } }] },
      ],
    });
    await runtime.applyRules(answering('first'));
    await runtime.start();
    const { proxyUrl } = runtime.status();
    expect(await getThrough(proxyUrl, 'http://rules.invalid/')).toBe('first');
    await runtime.applyRules(answering('second'));
    const again = heard.until(({ state }) => state === 'running' && heard.failures.length === 1);
    kill('engine');
    await again;
    expect(await getThrough(proxyUrl, 'http://rules.invalid/')).toBe('second');
  });

  it('holds messages while a window shows them, in each life of the engine', async () => {
    const { runtime, heard, kill } = await mortalRuntime();
    const hold = { name: 'stop', enabled: true, when: '', do: [{ break: { on: 'request' as const } }] };
    await runtime.applyRules({ ...NO_RULES, rules: [hold] });
    await runtime.breaks.setWatched(true);
    await runtime.start();
    const { proxyUrl } = runtime.status();
    const again = heard.until(({ state }) => state === 'running' && heard.failures.length === 1);
    kill('engine');
    await again;
    const response = getThrough(proxyUrl, `${await helloOrigin()}/held`);
    await expect.poll(() => heard.held.map(({ rule, side }) => [rule, side])).toEqual([['stop', 'request']]);
    const [{ id = 0 } = {}] = await runtime.breaks.list();
    expect(await runtime.breaks.get(id)).toMatchObject({ method: 'GET', body: '' });
    await runtime.breaks.write({ id, offset: 0, data: Buffer.from('by hand').toString('base64') });
    await runtime.breaks.release(id, { how: 'response', status: 200, headers: [], body: 'written' });
    expect(await response).toBe('by hand');
    await expect(runtime.breaks.get(id)).rejects.toMatchObject({ failure: { code: 'rules.not-held' } });
    const last = getThrough(proxyUrl, `${await helloOrigin()}/last`);
    await expect.poll(() => heard.held.length).toBe(1);
    await runtime.breaks.setWatched(false);
    expect(await last).toBe('hello');
  });

  it("keeps a program's port when the engine dies, and reports its requests", async () => {
    const { runtime, heard, kill } = await start();
    const url = await helloOrigin();
    const token = 'a'.repeat(32);
    const programUrl = await runtime.openProgramPort(token);
    expect(programUrl).not.toBe(runtime.status().proxyUrl);
    expect(await getThrough(programUrl, `${url}/before`)).toBe('hello');
    const again = heard.until(({ state }) => state === 'running' && heard.failures.length === 1);
    kill('engine');
    await again;
    const reached = () => getThrough(programUrl, `${url}/after`).catch(() => null);
    while ((await reached()) !== 'hello') await new Promise((resume) => setTimeout(resume, 20));
    expect(await runtime.openProgramPort(token)).toBe(programUrl);
    const steps = () => heard.sightings.map((one) => [one.token, one.step]);
    await expect.poll(steps).toEqual([
      [token, 'request'],
      [token, 'request'],
    ]);
  });

  it('gives up on an engine that keeps dying, and reports it', async () => {
    const { runtime, heard, kill } = await start();
    for (let death = 1; death <= 6; death += 1) {
      const next = heard.until(
        ({ state }) => heard.failures.length === death && state === (death < 6 ? 'running' : 'failed'),
      );
      kill('engine');
      await next;
    }
    expect(runtime.status()).toMatchObject({ state: 'failed', proxyUrl: '', failure: { code: 'engine.thread-died' } });
    expect(await runtime.recorded.page({ after: 0, limit: 1 })).toEqual({ rows: [], more: false, badRows: 0 });
  });

  it('clears a session: another id, nothing in it', async () => {
    const { runtime, heard } = await start();
    await getThrough(runtime.status().proxyUrl, await helloOrigin());
    const before = await runtime.recorded.info();
    const after = await runtime.clearSession();
    expect(after).toMatchObject({ exchanges: 0, path: before.path });
    expect(after.id).not.toBe(before.id);
    expect(heard.sessions).toEqual([after]);
  });

  it("continues in another file, or in this one if the other can't be opened", async () => {
    const { runtime, folder } = await start();
    const url = await helloOrigin();
    await getThrough(runtime.status().proxyUrl, `${url}/first`);
    const other = path.join(folder, 'other.roundtrip');
    await runtime.recordInto(other);
    await getThrough(runtime.status().proxyUrl, `${url}/second`);
    expect(await paths(runtime)).toEqual(['/second']);
    const broken = path.join(folder, 'broken.roundtrip');
    fs.writeFileSync(broken, 'this is no database, but it is long enough to be taken for a broken one');
    await expect(runtime.recordInto(broken)).rejects.toMatchObject({ code: 'session.open-failed' });
    expect(await paths(runtime)).toEqual(['/second']);
  });

  it('reads what is recorded into a file that was opened before the recording began', async () => {
    const { runtime: before, session } = await mortalRuntime();
    await before.start();
    await before.close(0);
    const { runtime } = await mortalRuntime(session);
    expect((await runtime.recorded.page({ after: 0, limit: 10 })).rows).toEqual([]);
    await runtime.start();
    await getThrough(runtime.status().proxyUrl, await helloOrigin());
    await expect.poll(async () => (await runtime.recorded.page({ after: 0, limit: 10 })).rows.length).toBe(1);
  });

  it('leaves one file behind, even if a window has read from it', async () => {
    const { runtime, folder } = await start();
    await getThrough(runtime.status().proxyUrl, await helloOrigin());
    expect(await paths(runtime)).toHaveLength(1);
    await runtime.close(0);
    expect(fs.readdirSync(folder).filter((name) => name.includes('.roundtrip'))).toEqual(['s.roundtrip']);
  });

  it('answers nothing after it is closed, and starts no thread for late requests of a window', async () => {
    const { runtime } = await start();
    expect(await runtime.recorded.page({ after: 0, limit: 10 })).toMatchObject({ rows: [] });
    const threads = (): number => process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;
    await runtime.close(0);
    const before = threads();
    await expect(runtime.recorded.page({ after: 0, limit: 10 })).rejects.toMatchObject({
      failure: { code: 'engine.stopped' },
    });
    await expect(runtime.recorded.info()).rejects.toMatchObject({ failure: { code: 'engine.stopped' } });
    // Handles of threads that ended may go a moment later.
    await expect.poll(threads).toBeLessThanOrEqual(before);
  });

  it('refuses to start on a busy port', async () => {
    const { runtime } = await start();
    const { certificatePem, keyPem } = await openCertificateAuthority(temporaryFolder());
    const second = new Runtime({
      threadFolder: DIST,
      sessionPath: path.join(temporaryFolder(), 's.roundtrip'),
      engine: {
        ...{ host: '127.0.0.1', port: Number(new URL(runtime.status().proxyUrl).port) },
        ...{ settings: DEFAULT_SETTINGS, refusedAuthorities: [] },
        certificates: { certificatePem, keyPem, leafFolder: temporaryFolder() },
      },
      listener: new Heard(),
    });
    await expect(second.start()).rejects.toMatchObject({ code: 'engine.port-in-use' });
    expect(second.status()).toMatchObject({ state: 'failed', failure: { code: 'engine.port-in-use' } });
    await second.close(0);
  });
});
