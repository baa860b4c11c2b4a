import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ScriptRunner } from '../../../../../electron/worker/script/script-runner.ts';
import type { ScriptInput } from '../../../../../shared/model/rule/script-call.ts';
import { heldThread } from '../../../../support/held-thread.ts';

const INPUT: ScriptInput = {
  hook: 'onRequest',
  rule: 'r',
  request: { method: 'GET', url: 'http://a.test/', headers: [], body: null },
};

it("does not count the start of its thread as the script's time", async () => {
  const { folder, release } = heldThread(path.resolve('electron/worker/script/script-thread.ts'));
  fs.copyFileSync('node_modules/quickjs-wasi/quickjs.wasm', path.join(folder, 'quickjs.wasm'));
  const runner = new ScriptRunner(folder);
  onTestFinished(() => runner.close());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const result = runner.run('function onRequest() { console.log("ran"); }', INPUT);
  await vi.advanceTimersByTimeAsync(60_000);
  release();
  expect(await result).toMatchObject({ outcome: { ok: true }, console: [{ text: 'ran' }] });
});
