import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ScriptChecker } from '../../../../electron/worker/script/script-checker.ts';

/** The ids of this process' threads that run scripts. Linux shortens their name. */
function scriptThreads(): string[] {
  const folder = '/proc/self/task';
  return fs.readdirSync(folder).filter((id) => {
    try {
      return fs.readFileSync(path.join(folder, id, 'comm'), 'utf8') === 'roundtrip scrip\n';
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

function checker(idle: number): ScriptChecker {
  const scripts = new ScriptChecker(path.resolve('dist'), idle);
  onTestFinished(() => scripts.close());
  return scripts;
}

it.skipIf(process.platform !== 'linux')('all checks share one thread, which ends when idle', async () => {
  const { check } = checker(0);
  const together = [check('let a;'), check('let a b;'), check('let a;\nlet a;')];
  expect(await Promise.all(together)).toMatchObject([null, { line: 1, column: 7 }, { line: 2 }]);
  await expect.poll(scriptThreads).toEqual([]);
  expect(await check('let a b;')).toMatchObject({ line: 1 });
});

it.skipIf(process.platform !== 'linux')('a later check uses the thread of the one before', async () => {
  const { check } = checker(60_000);
  await check('1');
  const threads = scriptThreads();
  expect(threads).toHaveLength(1);
  await check('2');
  expect(scriptThreads()).toEqual(threads);
});
