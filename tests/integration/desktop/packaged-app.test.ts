import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installCommandLine } from '../../../electron/system/command-line/install-command-line.ts';
import { DevtoolsPage } from '../../support/devtools-page.ts';
import { electronForTests, isElectron22 } from '../../support/electron-for-tests.ts';
import { hasProgram } from '../../support/has-program.ts';
import { KDE_TOOL, kdeDesktop, LIVED_KDE } from '../../support/kde-desktop.ts';
import { HAS_KERBEROS, kerberosRealm } from '../../support/kerberos.ts';
import { CALL, devtoolsUrl, packageApp, startPackaged, UNTIL_RUNNING } from '../../support/packaged-app.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, squid } from '../../support/real-proxies.ts';
import { signingKey, type UpdateFeed, updateFeed } from '../../support/update-feed.ts';

const ELECTRON = electronForTests();
/** This may be root, which Chromium's sandbox rejects. */
const start = (binary: string, dataFolder: string, env?: NodeJS.ProcessEnv) =>
  startPackaged([binary, '--no-sandbox'], dataFolder, env);
const CAN_RUN = ELECTRON !== null && process.platform === 'linux' && hasProgram('Xvfb', '-help');

/**
 * In place of fpm, which CI lacks: notes what electron-builder requests and keeps the post-installation script. `npm
 * run test:packages` builds real ones.
 */
const FPM = `#!/bin/sh
printf '%s\\n' "$@" > "$ROUNDTRIP_FPM/arguments"
while [ $# -gt 1 ]; do
  case "$1" in
    --package) : > "$2" ;;
    --after-install) cp "$2" "$ROUNDTRIP_FPM/after-install" ;;
  esac
  shift
done
`;

function fpmStandIn(folder: string): NodeJS.ProcessEnv {
  fs.writeFileSync(path.join(folder, 'fpm'), FPM, { mode: 0o755 });
  return { ROUNDTRIP_FPM: folder, USE_SYSTEM_FPM: 'true', PATH: `${folder}:${process.env.PATH}` };
}

/** A busy machine starts the app within ten seconds. */
const PATIENT = { timeout: 60_000 };

describe.skipIf(!CAN_RUN)('the packaged app', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-packaged-'));
  const key = signingKey();
  let feed: UpdateFeed;
  let binary = '';
  beforeAll(async () => {
    feed = await updateFeed();
    const updates = { UPDATE_FEED_URL: feed.url, UPDATE_SIGNING_KEY: key };
    packageApp(ELECTRON ?? '', folder, ['deb'], { ...fpmStandIn(folder), ...updates });
    binary = path.join(folder, 'out/linux-unpacked/roundtrip');
  }, 480_000);
  afterAll(() => {
    feed?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('names the libraries that Electron links against, and puts the command line on the PATH', () => {
    const asked = fs.readFileSync(path.join(folder, 'arguments'), 'utf8').trim().split('\n');
    const needed = asked.filter((_, index) => asked[index - 1] === '-d');
    // The last is loaded at run time, and without it the app ends silently.
    const wanted = ['libgtk-3-0', 'libnss3', 'libgbm1', 'libasound2t64 | libasound2', 'libx11-xcb1'];
    expect(needed).toEqual(expect.arrayContaining(wanted));
    const placed = asked.map((mapping) => mapping.split('=').at(-1));
    const icons = ['16x16', '48x48', '256x256', '512x512'].map(
      (size) => `/usr/share/icons/hicolor/${size}/apps/roundtrip.png`,
    );
    const shared = ['/usr/share/applications/roundtrip.desktop', '/usr/share/mime/packages/roundtrip.xml', ...icons];
    expect(placed).toEqual(expect.arrayContaining(shared));
    const script = path.join(folder, 'after-install');
    execFileSync('bash', ['-n', script]);
    expect(fs.readFileSync(script, 'utf8')).toContain(
      "ln -sf '/opt/Roundtrip/resources/bin/roundtrip' '/usr/bin/roundtrip'",
    );
  });

  it("holds the files of its window only, whatever other window's files are in dist", () => {
    const assets = 'dist/renderer/assets';
    const archived = path.join(path.dirname(binary), 'resources/app.asar', assets);
    const list = 'process.stdout.write(fs.readdirSync(process.argv[1]).join())';
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const files = execFileSync(binary, ['-e', list, archived], { env }).toString().split(',');
    const built = isElectron22(ELECTRON ?? '') ? path.join(folder, 'bundles/renderer/assets') : assets;
    expect(files.sort()).toEqual(fs.readdirSync(built).sort());
  });

  it('starts from its archive, including its threads, and quits cleanly', async () => {
    expect(fs.existsSync(path.join(path.dirname(binary), 'resources/app.asar'))).toBe(true);
    const data = path.join(folder, 'data');
    const child = await start(binary, data);
    const exited = once(child, 'exit');
    const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
    expect(await page.evaluate('typeof require + typeof process')).toBe('undefinedundefined');
    expect(await page.evaluate(UNTIL_RUNNING)).toMatchObject({ state: 'running', failure: null });
    expect(await page.evaluate(CALL('app.info'))).toMatchObject({
      ok: true,
      value: { host: 'electron', dataFolder: data },
    });
    expect(await page.evaluate(CALL('sessions.list'))).toMatchObject({
      ok: true,
      value: { sessions: [{ exchanges: 0 }] },
    });
    await page.evaluate('window.close()').catch(() => undefined);
    page.close();
    const [exitCode] = await exited;
    expect(exitCode).toBe(0);
    // A recording without an exchange leaves no file.
    expect(fs.readdirSync(path.join(data, 'sessions')).filter((name) => name.endsWith('.roundtrip'))).toEqual([]);
  });

  it.skipIf(KDE_TOOL === undefined)('restores the system proxy even if it is killed', async () => {
    const { env, file } = kdeDesktop(LIVED_KDE);
    const child = await start(binary, path.join(folder, 'killed'), env);
    const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
    const { proxyUrl } = (await page.evaluate(UNTIL_RUNNING)) as { proxyUrl: string };
    const status = { state: 'on', label: 'KDE', detail: new URL(proxyUrl).host };
    expect(await page.evaluate(CALL('system-proxy.set', { on: true }))).toMatchObject({ ok: true, value: status });
    expect(fs.readFileSync(file, 'utf8')).not.toBe(LIVED_KDE);
    child.kill('SIGKILL');
    while (fs.existsSync(path.join(folder, 'killed/system-proxy.json')))
      await new Promise((resume) => setTimeout(resume, 50));
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED_KDE);
    page.close();
  });

  it.skipIf(!HAS.squid || !HAS_KERBEROS)(
    'is authenticated with Kerberos, using the bundled library',
    {
      timeout: 60_000,
    },
    async () => {
      const realm = await kerberosRealm();
      realm.login();
      const port = await squid({
        keytab: [realm.keytab, realm.service],
        scheme: 'basic',
        login: 'x:y',
        env: realm.env,
      });
      const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
      const page = await DevtoolsPage.connect(
        await devtoolsUrl(await start(binary, path.join(folder, 'kerberos'), realm.env)),
        'app://roundtrip/',
      );
      const { proxyUrl } = (await page.evaluate(UNTIL_RUNNING)) as { proxyUrl: string };
      const settings = { upstreamProxy: { enabled: true, url: `http://localhost:${port}` } };
      expect(await page.evaluate(CALL('settings.update', settings))).toMatchObject({ ok: true });
      const url = `http://127.0.0.1:${plain.port}/`;
      const { stdout } = await promisify(execFile)('curl', ['-sS', '-x', proxyUrl, '--noproxy', '', url]);
      expect(stdout).toBe('plain');
      page.close();
    },
  );

  const NEW = '#!/bin/sh\n# the next version\n';
  const good = { served: NEW, named: NEW, signedBy: key };

  /** Starts the app as the AppImage `file`, and quits once its log holds `until`. Resolves with what `file` then is. */
  async function updated(name: string, until: string, settings: object = {}): Promise<string> {
    const data = path.join(folder, name);
    fs.mkdirSync(data);
    fs.writeFileSync(path.join(data, 'settings.json'), JSON.stringify(settings));
    const file = path.join(data, 'Roundtrip.AppImage');
    fs.writeFileSync(file, 'the old version', { mode: 0o755 });
    const child = await start(binary, data, { APPIMAGE: file, XDG_CACHE_HOME: path.join(data, 'cache') });
    const exited = once(child, 'exit');
    const page = await DevtoolsPage.connect(await devtoolsUrl(child), 'app://roundtrip/');
    expect(await page.evaluate(UNTIL_RUNNING)).toMatchObject({ state: 'running' });
    await expect.poll(() => fs.readFileSync(path.join(data, 'logs/roundtrip.log'), 'utf8'), PATIENT).toContain(until);
    expect(fs.readFileSync(file, 'utf8')).toBe('the old version');
    page.close();
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    return fs.readFileSync(file, 'utf8');
  }

  it('downloads a new version while it runs, and installs it when it quits', async () => {
    feed.offer(good);
    expect(await updated('new', 'Roundtrip 9.9.9 was downloaded')).toBe(NEW);
    expect(feed.takeAsked()).toContain('/latest-linux.yml');
  });

  it.each([
    ['a broken feed', 'this: is: no feed', 'update.check-failed'],
    ['a feed that nobody signed', { ...good, signedBy: null }, 'update.not-signed'],
    ['a feed that somebody else signed', { ...good, signedBy: signingKey() }, 'update.not-signed'],
    ['a file that is not the signed one', { ...good, served: `${NEW}evil` }, 'update.tampered'],
  ])('stays unchanged with %s', async (name, offer, code) => {
    feed.offer(offer);
    feed.takeAsked();
    expect(await updated(name, code)).toBe('the old version');
    const isFileAsked = feed.takeAsked().some((asked) => asked.endsWith('.AppImage'));
    expect(isFileAsked).toBe(code === 'update.tampered');
  });

  it('does not query the feed if the user turned that off', async () => {
    feed.offer(good);
    feed.takeAsked();
    expect(await updated('unwanted', 'starts, Electron', { lookForUpdates: false })).toBe('the old version');
    expect(feed.takeAsked()).toEqual([]);
  });

  it('includes the command line, also in an AppImage on a system without a sandbox for it', async () => {
    const home = path.join(folder, 'home');
    fs.mkdirSync(home);
    // As the start script of an AppImage does without user namespaces.
    const appImage = path.join(home, 'Roundtrip.AppImage');
    const script = `#!/bin/sh
case " $* " in *" --no-sandbox "*) exec '${binary}' "$@" ;; esac
exec '${binary}' --no-sandbox "$@"
`;
    fs.writeFileSync(appImage, script, { mode: 0o755 });
    const resources = path.join(path.dirname(binary), 'resources');
    await installCommandLine({ platform: 'linux', resources, home, env: { APPIMAGE: appImage } });
    const command = path.join(home, '.local/bin/roundtrip');
    const data = ['sessions', '--json', '--data-dir', path.join(home, 'data')];
    expect(execFileSync(command, data).toString()).toBe(
      execFileSync(path.join(resources, 'bin/roundtrip'), data).toString(),
    );
  });
});
