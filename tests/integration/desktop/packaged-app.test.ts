import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DevtoolsPage } from '../../support/devtools-page.ts';
import { electronForTests, isElectron22 } from '../../support/electron-for-tests.ts';
import { hasProgram } from '../../support/has-program.ts';
import { KDE_TOOL, kdeDesktop, LIVED_KDE } from '../../support/kde-desktop.ts';
import { HAS_KERBEROS, kerberosRealm } from '../../support/kerberos.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, squid } from '../../support/real-proxies.ts';
import { xDisplay } from '../../support/x-display.ts';

const ELECTRON = electronForTests();
const CAN_RUN = ELECTRON !== null && process.platform === 'linux' && hasProgram('Xvfb', '-help');

/** `npm run dist:dir`, with the Electron that there is. */
function packageApp(electron: string, folder: string): string {
  const bundles = path.join(folder, 'bundles');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { stdio: 'pipe', env: { ...process.env, ELECTRON_DIST: electron } });
  if (isElectron22(electron)) node('build/build.ts', '--for-electron-22', bundles);
  const given = isElectron22(electron) ? ['--bundles', bundles] : [];
  node('build/package.ts', '--dir', '--out', path.join(folder, 'out'), ...given);
  return path.join(folder, 'out/linux-unpacked/roundtrip');
}

/**
 * On a screen of our own: xvfb-run waits for a signal of Xvfb's that can come before it waits (Debian's script, `wait || :`),
 * and on a busy machine it then waits for ever.
 */
async function start(binary: string, dataFolder: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  const display = await xDisplay();
  onTestFinished(display.close);
  const own = ['--no-sandbox', '--remote-debugging-port=0', `--data-dir=${dataFolder}`, '--port=0'];
  const child = spawn(binary, own, {
    ...{ stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    env: { ...process.env, DISPLAY: display.name, ...env },
  });
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
}

/** What it says after that is read too: a full pipe would hold the app up. */
function devtoolsUrl(child: ChildProcess): Promise<string> {
  const { stderr } = child;
  if (stderr === null) throw new Error('no stderr');
  return new Promise((resolve, reject) => {
    const lines = readline.createInterface({ input: stderr }).on('line', (line) => {
      const url = /DevTools listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.once('close', () => reject(new Error('the app ended before its window was there')));
  });
}

const CALL = (name: string, input: unknown = {}) =>
  `roundtrip.call({ call: 1, name: '${name}', input: ${JSON.stringify(input)} })`;

/** The engine's threads start beside the window. */
const UNTIL_RUNNING = `(async () => {
  for (;;) {
    const { value } = await ${CALL('engine.status')};
    if (value.state !== 'starting') return value;
  }
})()`;

describe.skipIf(!CAN_RUN)('the packaged app', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-packaged-'));
  let binary = '';
  beforeAll(() => {
    binary = packageApp(ELECTRON ?? '', folder);
  }, 480_000);
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('starts from its archive, threads and all, and quits well', async () => {
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
    expect(fs.readdirSync(path.join(data, 'sessions'))).toEqual([expect.stringMatching(/\.roundtrip$/)]);
  });

  it.skipIf(KDE_TOOL === undefined)('puts the system proxy back though it is killed', async () => {
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
    'is let in by Kerberos, with the library that it brings',
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
});
