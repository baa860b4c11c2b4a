import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PacRunner } from '../../../../electron/worker/pac-runner.ts';
import { heldThread } from '../../../support/held-thread.ts';

const ENDLESS = 'function FindProxyForURL(url, host) { for (;;); }';
const GOOD = "function FindProxyForURL(url, host) { return 'PROXY ' + host + ':1'; }";
const THREAD = path.resolve('electron/worker/pac-thread.ts');

function startRunner(threadFile = THREAD): PacRunner {
  const runner = new PacRunner({
    threadFile,
    wasmFile: path.resolve('node_modules/quickjs-wasi/quickjs.wasm'),
    timeLimit: 2_000,
  });
  onTestFinished(() => runner.close());
  return runner;
}

it('ends a script that never returns, and continues with the next', async () => {
  const runner = startRunner();
  await expect(runner.run(ENDLESS, 'http://a.test/', 'a.test')).rejects.toMatchObject({ code: 'proxy.pac-timeout' });
  expect(await runner.run(GOOD, 'http://a.test/', 'a.test')).toBe('PROXY a.test:1');
});

it('blames the script for the calls that waited behind it', async () => {
  const runner = startRunner();
  const codeOf = (error: unknown) => (error as { code: string }).code;
  const first = runner.run(ENDLESS, 'http://a.test/', 'a.test').catch(codeOf);
  const second = runner.run(ENDLESS, 'http://b.test/', 'b.test').catch(codeOf);
  expect([await first, await second]).toEqual(['proxy.pac-timeout', 'proxy.pac-timeout']);
});

it("does not count the start of its thread as the script's time", async () => {
  const { file, release } = heldThread(THREAD);
  const runner = startRunner(file);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const found = runner.run(GOOD, 'http://a.test/', 'a.test');
  await vi.advanceTimersByTimeAsync(60_000);
  release();
  expect(await found).toBe('PROXY a.test:1');
});
