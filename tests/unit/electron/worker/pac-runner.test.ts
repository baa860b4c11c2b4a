import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PacRunner } from '../../../../electron/worker/pac-runner.ts';

it('ends a script that never does, and goes on with the next', async () => {
  const runner = new PacRunner({
    threadFile: path.resolve('electron/worker/pac-thread.ts'),
    wasmFile: path.resolve('node_modules/quickjs-wasi/quickjs.wasm'),
    timeLimit: 2_000,
  });
  onTestFinished(() => runner.close());
  const endless = 'function FindProxyForURL(url, host) { for (;;); }';
  await expect(runner.run(endless, 'http://a.test/', 'a.test')).rejects.toMatchObject({ code: 'proxy.pac-timeout' });
  const good = "function FindProxyForURL(url, host) { return 'PROXY ' + host + ':1'; }";
  expect(await runner.run(good, 'http://a.test/', 'a.test')).toBe('PROXY a.test:1');
});
