import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DevtoolsPage } from '../support/devtools-page.ts';
import { hasProgram } from '../support/has-program.ts';
import { CALL, devtoolsUrl, startPackaged, UNTIL_RUNNING } from '../support/packaged-app.ts';
import { builtPackage, HAS_7Z, HAS_APPIMAGE_TOOLS, HAS_ELECTRON, HAS_FPM, newFolder } from './built-package.ts';
import { CAN_MAKE_DEBIAN, EmptyDebian } from './empty-debian.ts';

/** The window appears, the engine runs, and closing the window ends the app cleanly. */
async function expectToRun(command: readonly string[], dataFolder: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = await startPackaged(command, dataFolder, env);
  const exited = once(child, 'exit');
  const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
  expect(await page.evaluate(UNTIL_RUNNING)).toMatchObject({ state: 'running', failure: null });
  expect(await page.evaluate(CALL('app.info'))).toMatchObject({ ok: true, value: { host: 'electron', dataFolder } });
  await page.evaluate('window.close()').catch(() => undefined);
  page.close();
  expect(await exited).toEqual([0, null]);
}

/** Its command line records an exchange of a program. */
function expectToRecord(run: (command: string[]) => string, program: string, har: string): void {
  const said = run([program, 'record', '--json', '--port', '0', '--har', har, '--', 'true']).trim().split('\n');
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({ event: 'done', exchanges: 0, lost: 0 });
}

describe.skipIf(!HAS_ELECTRON)('a package for Linux', () => {
  it.skipIf(!HAS_FPM || !CAN_MAKE_DEBIAN)(
    'deb: installs its dependencies on an empty Debian, and runs there in its sandbox',
    async () => {
      const debian = new EmptyDebian(newFolder('debian'));
      debian.install(builtPackage('deb'));
      const libraries = debian.run(['ldd', '/opt/Roundtrip/roundtrip']);
      expect(libraries.match(/.*not found.*/g)).toBeNull();
      expectToRecord((command) => debian.run(command, 'user'), '/usr/bin/roundtrip', '/home/somebody/out.har');
      const env = { HOME: '/home/somebody' };
      await expectToRun(debian.command(['/opt/Roundtrip/roundtrip'], 'user'), '/home/somebody/data', env);
      debian.run(['apt-get', 'remove', '-y', 'roundtrip']);
      expect(['/usr/bin/roundtrip', '/opt/Roundtrip'].filter((file) => fs.existsSync(debian.path(file)))).toEqual([]);
    },
  );

  it.skipIf(!HAS_FPM || !hasProgram('rpm'))('rpm: requires, places and links what the deb does', () => {
    const rpm = builtPackage('rpm');
    const asked = (...questions: string[]) => execFileSync('rpm', ['-qp', ...questions, rpm]).toString();
    const required = asked('--requires').split('\n');
    expect(required).toEqual(expect.arrayContaining(['gtk3', 'nss', '(alsa-lib or libasound2)']));
    const files = asked('-l').split('\n');
    const wanted = [
      '/opt/Roundtrip/roundtrip',
      '/opt/Roundtrip/resources/app.asar',
      '/opt/Roundtrip/resources/LICENSE.txt',
    ];
    expect(files).toEqual(expect.arrayContaining([...wanted, '/usr/share/applications/roundtrip.desktop']));
    expect(asked('--scripts')).toContain("ln -sf '/opt/Roundtrip/resources/bin/roundtrip' '/usr/bin/roundtrip'");
    expect(asked('--queryformat', '%{LICENSE} %{ARCH}')).toBe('MIT x86_64');
  });

  it.skipIf(!HAS_APPIMAGE_TOOLS)('AppImage: runs from one file, without FUSE', async () => {
    const env = { APPIMAGE_EXTRACT_AND_RUN: '1' };
    await expectToRun([builtPackage('AppImage'), '--no-sandbox'], newFolder('data'), env);
  });

  it.skipIf(!HAS_7Z).each(['tar.gz', 'zip'])(
    '%s: the app and its command line run where they are unpacked',
    async (kind) => {
      const folder = newFolder('unpacked');
      const [program, option] = kind === 'zip' ? ['unzip', '-q'] : ['tar', '-xzf'];
      execFileSync(program ?? '', [option ?? '', builtPackage(kind)], { cwd: folder });
      const found = fs.globSync('**/roundtrip', { cwd: folder }).map((file) => path.join(folder, file));
      const app = found.find((file) => !file.includes('resources')) ?? '';
      await expectToRun([app, '--no-sandbox'], newFolder('data'));
      const run = ([file = '', ...parameters]: string[]) => execFileSync(file, parameters).toString();
      expectToRecord(run, path.join(path.dirname(app), 'resources/bin/roundtrip'), path.join(folder, 'out.har'));
    },
  );
});
