import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { listenInTest } from '../../support/listen-in-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LARGEST = 3 * 1024 * 1024;

function npm(folder: string, ...parameters: string[]): string {
  return execFileSync('npm', [...parameters, '--silent'], {
    cwd: folder,
    shell: process.platform === 'win32',
  }).toString();
}

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

function pack(folder: string): Packed | undefined {
  return (JSON.parse(npm(process.cwd(), 'pack', '--json', '--pack-destination', folder)) as Packed[])[0];
}

it('the npm package holds only bundles, licences and types, installs in an empty folder, and records', async () => {
  const folder = temporaryFolder();
  const packed = pack(folder);
  expect(packed?.size).toBeLessThan(LARGEST);
  const others = packed?.files.filter(({ path: file }) => !/^(?:dist\/|LICENSE|README\.md|package\.json)/.test(file));
  expect(others?.map(({ path: file }) => file)).toEqual(['docs/rules.schema.json', 'docs/script.d.ts']);
  expect(packed?.files.filter(({ path: file }) => file.endsWith('.map'))).toEqual([]);
  fs.writeFileSync(path.join(folder, 'package.json'), '{}');
  npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', path.join(folder, packed?.filename ?? ''));
  const origin = http.createServer((_request, response) => response.end('hello'));
  const port = await listenInTest(origin);
  const script = path.join(folder, 'node_modules/.bin/roundtrip');
  const url = `http://127.0.0.1:${port}/`;
  const har = path.join(folder, 'x.har');
  const { stdout } = await promisify(execFile)(
    script,
    [
      'record',
      '--port',
      '0',
      '--json',
      '--data-dir',
      path.join(folder, 'data'),
      '--har',
      har,
      '--',
      'curl',
      '-sS',
      url,
    ],
    { cwd: folder, shell: process.platform === 'win32' },
  );
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'done', exchanges: 1, lost: 0 });
  expect(JSON.parse(fs.readFileSync(har, 'utf8'))).toMatchObject({ log: { entries: [{ request: { url } }] } });
});

it.skipIf(process.platform === 'win32')("the Dockerfile's command installs it without a warning", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, pack(folder)?.filename ?? '');
  const dockerfile = fs.readFileSync('build/docker/Dockerfile', 'utf8');
  const install = /^RUN (npm install .*) && rm /m.exec(dockerfile)?.[1] ?? 'false';
  const here = `${install.replace('/tmp/roundtrip.tgz', `'${file}'`)} 2>&1`;
  const env = { ...process.env, npm_config_prefix: path.join(folder, 'image'), npm_config_prefer_offline: 'true' };
  expect(execFileSync('sh', ['-c', here], { cwd: folder, env }).toString()).not.toContain('warn');
  const program = /^ENTRYPOINT \["(.*)"\]/m.exec(dockerfile)?.[1] ?? '';
  const help = execFileSync(path.join(folder, 'image/bin', program), ['--help']).toString();
  expect(help).toContain('roundtrip record');
});
