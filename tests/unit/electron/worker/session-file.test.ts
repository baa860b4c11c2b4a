import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SessionFile } from '../../../../electron/worker/session-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A reader's thread that dies on every call except `open`, the first `deaths` times. */
function fileReadBy(deaths: number) {
  const folder = temporaryFolder();
  const calls = path.join(folder, 'calls');
  fs.writeFileSync(calls, '');
  fs.writeFileSync(
    path.join(folder, 'session-reader-thread.cjs'),
    `const fs = require('node:fs');
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id, name }) => {
      if (name === 'open') return parentPort.postMessage({ kind: 'reply', id, ok: true, value: null });
      fs.appendFileSync(${JSON.stringify(calls)}, name + ' ');
      const died = fs.readFileSync(${JSON.stringify(calls)}, 'utf8').trim().split(' ').length;
      if (died <= ${deaths}) throw new Error('told to die');
      parentPort.postMessage({ kind: 'reply', id, ok: true, value: 'read' });
    });`,
  );
  const failures: string[] = [];
  const file = new SessionFile(folder, path.join(folder, 's.roundtrip'), ({ code }) => failures.push(code));
  onTestFinished(() => file.close());
  return { file, failures, calls: () => fs.readFileSync(calls, 'utf8').trim() };
}

const ALL = { session: null };

it("a read interrupted by its thread's death is retried on a new thread", async () => {
  const { file, failures, calls } = fileReadBy(1);
  expect(await file.call('info', ALL)).toBe('read');
  expect([calls(), failures]).toEqual(['info info', ['engine.helper-died']]);
});

it('is retried only once, and its failure names the thread', async () => {
  const { file, calls } = fileReadBy(3);
  await expect(file.call('info', ALL)).rejects.toMatchObject({
    code: 'engine.helper-died',
    message: expect.stringContaining('the one that reads the session file (told to die)'),
  });
  expect(calls()).toBe('info info');
});

it('a call that writes is not retried', async () => {
  const { file, calls } = fileReadBy(1);
  const edit = file.call('edit', { session: null, edit: { kind: 'clear' } as never });
  await expect(edit).rejects.toMatchObject({ code: 'engine.helper-died' });
  expect(calls()).toBe('edit');
  expect(await file.call('info', ALL)).toBe('read');
});
