import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PacRunner } from '../../../../electron/worker/pac-runner.ts';

const ENDLESS = 'function FindProxyForURL(url, host) { for (;;); }';

function startRunner(): PacRunner {
  const runner = new PacRunner({
    threadFile: path.resolve('electron/worker/pac-thread.ts'),
    wasmFile: path.resolve('node_modules/quickjs-wasi/quickjs.wasm'),
    timeLimit: 2_000,
  });
  onTestFinished(() => runner.close());
  return runner;
}

it('ends a script that never returns, and continues with the next', async () => {
  const runner = startRunner();
  await expect(runner.run(ENDLESS, 'http://a.test/', 'a.test')).rejects.toMatchObject({ code: 'proxy.pac-timeout' });
  const good = "function FindProxyForURL(url, host) { return 'PROXY ' + host + ':1'; }";
  expect(await runner.run(good, 'http://a.test/', 'a.test')).toBe('PROXY a.test:1');
});

it('blames the script for the calls that waited behind it', async () => {
  const runner = startRunner();
  const codeOf = (error: unknown) => (error as { code: string }).code;
  const first = runner.run(ENDLESS, 'http://a.test/', 'a.test').catch(codeOf);
  const second = runner.run(ENDLESS, 'http://b.test/', 'b.test').catch(codeOf);
  expect([await first, await second]).toEqual(['proxy.pac-timeout', 'proxy.pac-timeout']);
});
