import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Node's own modules that proxies and sessions need, and that take long to load. */
const HEAVY = ['http', 'http2', 'tls', 'sqlite', 'worker_threads', 'zlib'];

/** Those among them that a command has loaded when it ends. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const folder = temporaryFolder();
  const [script, list] = [path.join(folder, 'list.cjs'), path.join(folder, 'list.txt')];
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n'))`;
  fs.writeFileSync(script, `process.on('exit', () => ${write});`);
  const { exitCode, stderr } = await runRoundtrip(args, { folder, env: { NODE_OPTIONS: `--require ${script}` } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const loaded = fs.readFileSync(list, 'utf8').split('\n');
  return HEAVY.filter((name) => loaded.includes(`NativeModule ${name}`));
}

it.each([
  ['--version', []],
  ['--help', []],
  ['sessions', ['sqlite']],
])('%s loads nothing that it does not need', async (command, needed) => {
  expect(await loadedBy(command)).toEqual(needed);
});

it("the app's first bundle loads the code of its window only", () => {
  const code = fs.readFileSync('dist/main.cjs', 'utf8');
  const loaded = new Set([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name));
  expect([...loaded].sort()).toEqual([
    ...['./later-parts.cjs', 'electron', 'node:fs', 'node:os', 'node:path', 'node:url'],
  ]);
});
