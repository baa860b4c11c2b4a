import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installCommandLine } from '../../electron/system/command-line/install-command-line.ts';
import { DevtoolsPage } from '../support/devtools-page.ts';
import { hasProgram } from '../support/has-program.ts';
import { KDE_TOOL, kdeDesktop, LIVED_KDE } from '../support/kde-desktop.ts';
import { CALL, devtoolsUrl, startPackaged, UNTIL_RUNNING } from '../support/packaged-app.ts';
import {
  builtPackage,
  CAN_MOUNT,
  HAS_7Z,
  HAS_APPIMAGE_TOOLS,
  HAS_ELECTRON,
  HAS_FPM,
  newFolder,
} from './built-package.ts';
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

const INSTALLED = ['/opt/Roundtrip/roundtrip', '/usr/bin/roundtrip', '/usr/share/applications/roundtrip.desktop'];

/** What of the package is there. The link's target is looked up inside. */
function leftOf(debian: EmptyDebian): string[] {
  return INSTALLED.filter(
    (file) => debian.run(['sh', '-c', `test -e ${file} && echo yes || echo no`]).trim() === 'yes',
  );
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
      debian.run(['apt-get', 'install', '-y', '--reinstall', '/tmp/package.deb']);
      expect(leftOf(debian)).toEqual(INSTALLED);
      expect(debian.run(['cat', '/usr/share/doc/roundtrip/copyright'])).toBe(fs.readFileSync('LICENSE', 'utf8'));
      debian.run(['apt-get', 'remove', '-y', 'roundtrip']);
      expect(leftOf(debian)).toEqual([]);
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
    // Two apps with the same Electron have the same build ids, and rpm refuses the second that links them.
    expect(files.filter((file) => file.includes('.build-id'))).toEqual([]);
  });

  it.skipIf(!HAS_FPM || !hasProgram('rpm') || !CAN_MAKE_DEBIAN)(
    'rpm: runs where it is installed, keeps its command over an upgrade, and leaves nothing behind',
    async () => {
      const debian = new EmptyDebian(newFolder('debian'));
      const { deb } = JSON.parse(fs.readFileSync('build/electron-builder.json', 'utf8'));
      debian.installRpm(builtPackage('rpm'), deb.depends);
      expectToRecord((command) => debian.run(command, 'user'), '/usr/bin/roundtrip', '/home/somebody/out.har');
      const env = { HOME: '/home/somebody' };
      await expectToRun(debian.command(['/opt/Roundtrip/roundtrip'], 'user'), '/home/somebody/data', env);
      // As on an upgrade, the old package's script runs after the new one's.
      debian.run(['rpm', '--reinstall', '--nodeps', '/tmp/package.rpm']);
      expect(leftOf(debian)).toEqual(INSTALLED);
      debian.run(['rpm', '--erase', 'roundtrip']);
      expect(leftOf(debian)).toEqual([]);
    },
  );

  const MOUNTED = { APPIMAGE_EXTRACT_AND_RUN: undefined };
  const UNPACKED = { APPIMAGE_EXTRACT_AND_RUN: '1' };

  it.skipIf(!HAS_APPIMAGE_TOOLS)('AppImage: runs from one file, without FUSE', async () => {
    await expectToRun([builtPackage('AppImage'), '--no-sandbox'], newFolder('data'), UNPACKED);
  });

  it.skipIf(!HAS_APPIMAGE_TOOLS || !CAN_MOUNT)('AppImage: runs from one file, mounted', async () => {
    await expectToRun([builtPackage('AppImage'), '--no-sandbox'], newFolder('data'), MOUNTED);
  });

  it.skipIf(!HAS_APPIMAGE_TOOLS)('AppImage: its installed command records, and shields programs from it', async () => {
    const appImage = builtPackage('AppImage');
    const home = newFolder('home');
    await installCommandLine({ platform: 'linux', resources: home, home, env: { APPIMAGE: appImage } });
    const env = { ...process.env, ...UNPACKED };
    const run = ([file = '', ...parameters]: string[]) => execFileSync(file, parameters, { env }).toString();
    const roundtrip = path.join(home, '.local/bin/roundtrip');
    expectToRecord(run, roundtrip, path.join(home, 'out.har'));
    const said = run([roundtrip, 'record', '--port', '0', '--har', path.join(home, 'env.har'), '--', 'env']);
    expect(said).toContain('HTTPS_PROXY=');
    expect(said.match(/^(APPDIR|APPIMAGE|LD_LIBRARY_PATH)=.*$|^.*appimage_extracted.*$/gm)).toBeNull();
  });

  it.skipIf(!HAS_APPIMAGE_TOOLS || !CAN_MOUNT || KDE_TOOL === undefined)(
    'AppImage: restores the system proxy even if it is killed, which ends its mount',
    async () => {
      const { env, file } = kdeDesktop(LIVED_KDE);
      const data = newFolder('data');
      const child = await startPackaged([builtPackage('AppImage'), '--no-sandbox'], data, { ...env, ...MOUNTED });
      const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
      expect(await page.evaluate(UNTIL_RUNNING)).toMatchObject({ state: 'running' });
      expect(await page.evaluate(CALL('system-proxy.set', { on: true }))).toMatchObject({ ok: true });
      expect(fs.readFileSync(file, 'utf8')).not.toBe(LIVED_KDE);
      child.kill('SIGKILL');
      await expect.poll(() => fs.readFileSync(file, 'utf8'), { timeout: 60_000 }).toBe(LIVED_KDE);
      page.close();
    },
  );

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
