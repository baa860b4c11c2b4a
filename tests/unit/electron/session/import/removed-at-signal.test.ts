import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MODULE = path.resolve('electron/session/import/open-source.ts');

/** Opens these sources and prints their temporary session files. */
const SCRIPT = `
const { openSource } = await import(process.argv[1]);
const opened = await Promise.all(process.argv.slice(2).map((file) => openSource(file)));
process.stdout.write(JSON.stringify(opened.map((each) => each.path)));
setInterval(() => {}, 1000);
`;

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no copy of a source behind', async (signal) => {
  const har = path.join(temporaryFolder(), 'a.har');
  fs.writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: {}, entries: [] } }));
  const node = path.resolve('node_modules/.bin/node');
  const child = spawn(node, ['--input-type=module', '-e', SCRIPT, MODULE, har, har], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [printed] = await once(child.stdout, 'data');
  const files = JSON.parse(String(printed)) as string[];
  expect(files.map((file) => fs.existsSync(file))).toEqual([true, true]);
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(files.map((file) => fs.existsSync(path.dirname(file)))).toEqual([false, false]);
});
