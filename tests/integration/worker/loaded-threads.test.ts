import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { getThrough, helloOrigin, mortalRuntime } from '../../support/mortal-runtime.ts';

type Started = Awaited<ReturnType<typeof mortalRuntime>>;

const ports = () => process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;

async function recordedPaths({ runtime }: Started, url: string): Promise<string[]> {
  await getThrough(runtime.status().proxyUrl, `${url}/mark`);
  return (await runtime.recorded.page({ after: 0, limit: 10 })).rows.map((row) => row.path);
}

describe('threads that are loaded before the engine may start', () => {
  it('serve its first life, and no thread is made beside them', async () => {
    const url = await helloOrigin();
    const before = ports();
    const started = await mortalRuntime(undefined, true);
    const loaded = ports();
    expect(loaded).toBeGreaterThan(before);
    await started.runtime.start();
    expect(ports()).toBe(loaded);
    expect(await recordedPaths(started, url)).toEqual(['/mark']);
    await started.runtime.close(0);
    await expect.poll(ports).toBe(before);
  });

  it('end with a runtime that never starts', async () => {
    const before = ports();
    const { runtime } = await mortalRuntime(undefined, true);
    expect(ports()).toBeGreaterThan(before);
    await runtime.close(0);
    await expect.poll(ports).toBe(before);
  });

  it('leave their file to another session that is chosen first', async () => {
    const url = await helloOrigin();
    const started = await mortalRuntime(undefined, true);
    const other = path.join(started.folder, 'other.roundtrip');
    await started.runtime.recordInto(other);
    expect(await recordedPaths(started, url)).toEqual(['/mark']);
    expect((await started.runtime.recorded.info()).path).toBe(other);
    fs.rmSync(started.session);
  });

  it('are replaced if the engine died among them', async () => {
    const url = await helloOrigin();
    const started = await mortalRuntime(undefined, true);
    const loaded = ports();
    // It hears this once it is loaded.
    const killed = () => {
      started.kill('engine');
      return ports();
    };
    await expect.poll(killed).toBeLessThan(loaded);
    await expect(started.runtime.start()).rejects.toMatchObject({ code: 'engine.thread-died' });
    await started.runtime.start();
    expect(await recordedPaths(started, url)).toEqual(['/mark']);
  });
});
