import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { attach } from '../../electron/attach/attach.ts';
import { DRAWN_CHANNEL } from '../../electron/main/ipc/channels.ts';
import { SessionReader } from '../../electron/session/read/session-reader.ts';
import { curl } from '../support/curl.ts';
import { type DesktopApp, DesktopStarter } from '../support/desktop-app.ts';
import { CAN_RUN_DESKTOP } from '../support/desktop-bundles.ts';
import { hasProgram } from '../support/has-program.ts';
import { type ImageOrigin, imageOrigin } from '../support/image-origin.ts';
import { plainOrigin } from '../support/plain-origin.ts';
import { gnomeSession, hasGnomeSettings } from '../support/private-bus.ts';
import { requestThrough } from '../support/request-through.ts';
import { type XDisplay, xDisplay } from '../support/x-display.ts';

test.describe('the desktop app', () => {
  test.skip(!CAN_RUN_DESKTOP, 'no Electron binary that runs here, or no Xvfb to show its window on');
  test.describe.configure({ timeout: 300_000 });

  let folder: string;
  let display: XDisplay;
  let origin: ImageOrigin;
  let starter: DesktopStarter;

  test.beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-desktop-'));
    [display, origin] = await Promise.all([xDisplay(), imageOrigin('h2', 1)]);
    starter = new DesktopStarter(folder, display);
    fs.mkdirSync(path.join(folder, 'data/sessions'), { recursive: true });
    const settings = { upstreamCaFiles: [origin.caPath] };
    fs.writeFileSync(path.join(folder, 'data/settings.json'), JSON.stringify(settings));
  });

  test.afterAll(() => {
    display?.close();
    origin?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function start(env: Record<string, string> = {}): Promise<DesktopApp> {
    return starter.start({ env });
  }

  const ask = (proxy: string, caPath: string) => curl({ proxy, caPath }, '--http2', `${origin.url}image-0.gif`);

  test('can be found, read and stopped by other commands', async () => {
    const { app, proxy } = await start();
    const attached = await attach(path.join(folder, 'data'), null);
    expect(await attached?.api.request('engine.status', {})).toMatchObject({ proxyUrl: proxy });
    expect(await attached?.api.request('app.info', {})).toMatchObject({ host: 'electron' });
    const closed = app.waitForEvent('close');
    await attached?.api.request('app.stop', {});
    await closed;
    expect(await attach(path.join(folder, 'data'), null)).toBeNull();
  });

  test('serves its page with the policy, and none that takes a second process for it', async () => {
    const { app, window } = await start();
    const headers = await window.evaluate(async () => Object.fromEntries((await fetch(location.href)).headers));
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
    await app.close();
  });

  test('opens a window that is not blank before its proxy runs, and that shows what comes after', async () => {
    const waiting: http.ServerResponse[] = [];
    const pac = await plainOrigin((_request, response) => void waiting.push(response));
    const proxyPac = `${pac.url}/proxy.pac`;
    const file = path.join(folder, 'data/settings.json');
    const before = fs.readFileSync(file);
    const upstream = { upstreamProxy: { enabled: true, url: '' }, proxySource: 'pac', proxyPac };
    fs.writeFileSync(file, JSON.stringify({ upstreamCaFiles: [origin.caPath], ...upstream }));
    const { app, window, proxy } = await starter.start({}, async (launched) => {
      const early = await launched.firstWindow();
      await expect(early.getByRole('heading', { name: 'Waiting for the first request' })).toBeVisible();
      await expect(early.getByText('The proxy is not listening yet.')).toBeVisible();
      await expect.poll(() => waiting).not.toHaveLength(0);
      for (const response of waiting) response.end('function FindProxyForURL() { return "DIRECT"; }');
    });
    expect(await ask(proxy, path.join(folder, 'data/ca.crt'))).toMatchObject({ exitCode: 0 });
    await expect(window.getByRole('grid', { name: 'Exchanges' }).getByText('/image-0.gif')).toBeVisible();
    await app.close();
    fs.writeFileSync(file, before);
    pac.close();
  });

  test('opens a window that is not blank if its session file cannot be opened', async () => {
    const app = await starter.launch({ more: [`--session=${folder}`] });
    const window = await app.firstWindow();
    await expect(window.getByRole('alert')).toContainText('session.open-failed');
    await expect(window.getByRole('heading', { name: 'The proxy is not listening' })).toBeVisible();
    await app.close();
  });

  test('has its icon, which its program and an unpacked folder do not give it', async () => {
    test.skip(!hasProgram('sh', '-c', 'command -v xprop'), 'no xprop');
    const { app } = await start();
    const id = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getNativeWindowHandle().readUInt32LE(),
    );
    const icon = () =>
      execFileSync('xprop', ['-display', display.name, '-id', String(id), '-len', '8', '_NET_WM_ICON']).toString();
    await expect.poll(icon).toContain('_NET_WM_ICON(CARDINAL) =');
    await app.close();
  });

  test("opens its window where it was closed, in the user's theme", async () => {
    const place = { x: 40, y: 30, width: 900, height: 600 };
    const first = await start();
    await first.app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), place);
    await first.window.getByRole('button', { name: 'Theme' }).click();
    await expect(first.window.getByTitle('Theme: light')).toBeVisible();
    await first.window.getByRole('button', { name: 'Theme' }).click();
    await expect(first.window.getByTitle('Theme: dark')).toBeVisible();
    await first.app.close();
    const second = await start();
    const opened = await second.app.evaluate(({ BrowserWindow, nativeTheme }) => ({
      bounds: BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
      theme: nativeTheme.themeSource,
    }));
    expect(opened).toEqual({ bounds: place, theme: 'dark' });
    await second.window.getByRole('button', { name: 'Theme' }).click();
    await expect(second.window.getByTitle('Theme: system')).toBeVisible();
    await second.app.close();
  });

  test('hears from its page that it has drawn, which the host waits for', async () => {
    const { app } = await start();
    const channel = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<string>((resolve) => {
        contents?.on('ipc-message', (_event, name) => resolve(name));
        contents?.reload();
      });
    });
    expect(channel).toBe(DRAWN_CHANNEL);
    await app.close();
  });

  test("restores the system's proxy even if it is killed", async () => {
    test.skip(!hasGnomeSettings(), 'no dbus-daemon, or no settings of GNOME');
    const home = path.join(folder, 'home');
    fs.mkdirSync(home);
    const session = await gnomeSession(home);
    session.set('org.gnome.system.proxy', 'autoconfig-url', 'http://pac.test/proxy.pac');
    session.set('org.gnome.system.proxy', 'mode', 'auto');
    const before = session.proxySettings();
    const { app, window, proxy } = await start(session.env);
    await app.evaluate(({ Menu }) => {
      const build = Menu.buildFromTemplate;
      Menu.buildFromTemplate = (template) => {
        Object.assign(globalThis, { lastMenu: template.map(({ label }) => label) });
        return build.call(Menu, template);
      };
    });
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    await window.getByRole('button', { name: 'Set to Roundtrip' }).click();
    await expect(window.getByText('proxy is set to Roundtrip')).toBeVisible();
    const trayMenu = () => app.evaluate(() => (globalThis as { lastMenu?: string[] }).lastMenu);
    await expect
      .poll(trayMenu)
      .toEqual(['The GNOME proxy is set to Roundtrip', 'Turn It Off', 'Show Roundtrip', undefined, 'Quit']);
    expect(session.proxySettings()).toContain(`org.gnome.system.proxy.https port ${new URL(proxy).port}`);
    app.process().kill('SIGKILL');
    await expect.poll(session.proxySettings).toBe(before);
    await session.close();
  });

  test('reloads a crashed page, keeps recording, and logs uncaught errors', async () => {
    const { app, proxy } = await start();
    const ownCa = path.join(folder, 'data/ca.crt');
    const log = () => fs.readFileSync(path.join(folder, 'data/logs/roundtrip.log'), 'utf8');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
    await expect.poll(log).toContain("The window's page ended");
    // Playwright can't inspect a crashed page.
    await expect.poll(log).toContain('page was reloaded');
    const toasts = "document.querySelector('.toasts')?.textContent ?? ''";
    const told = () =>
      app.evaluate(({ BrowserWindow: { getAllWindows } }, script) => {
        return getAllWindows()[0]?.webContents.executeJavaScript(script);
      }, toasts);
    await expect.poll(told).toContain('crashed and was loaded again');
    await app.evaluate(() => void Promise.reject(new Error('nobody caught this')));
    await expect.poll(log).toContain('nobody caught this');
    await app.evaluate(({ dialog }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      const showMessageBox = ({ message }: { message: string }) => {
        shown.push(message);
        return new Promise(() => undefined);
      };
      Object.assign(dialog, { showMessageBox });
      const fail = (what: string) =>
        setImmediate(() => {
          throw new Error(what);
        });
      fail('thrown by nobody');
      fail('thrown once more');
    });
    await expect.poll(log).toContain('Uncaught error: Error: thrown by nobody');
    await expect.poll(log).toContain('Uncaught error: Error: thrown once more');
    expect(await app.evaluate(() => (globalThis as { shown?: string[] }).shown)).toEqual(['Internal error']);
    // Its network service and its GPU process, which Chromium restarts.
    await app.evaluate(({ app: { getAppMetrics } }) => {
      for (const { type, pid } of getAppMetrics())
        if (type === 'Utility' || type === 'GPU') process.kill(pid, 'SIGKILL');
    });
    await expect.poll(log).toContain('A helper process ended: Network Service');
    await expect.poll(log).toContain('A helper process ended: GPU');
    // A hanging page takes half a minute to be noticed: only the rest is under test.
    await app.evaluate(({ BrowserWindow, dialog }) => {
      dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false });
      BrowserWindow.getAllWindows()[0]?.emit('unresponsive');
    });
    await expect.poll(() => log().match(/page was reloaded/g)).toHaveLength(2);
    expect(fs.statSync(path.join(folder, 'data/logs/roundtrip.log')).mode & 0o777).toBe(0o600);
    expect(await ask(proxy, ownCa)).toMatchObject({ exitCode: 0 });
    await app.close();
  });

  test('shows a request, keeps a toggle across a restart, and saves the HAR', async () => {
    const ownCa = path.join(folder, 'data/ca.crt');
    const first = await start();
    const grid = first.window.getByRole('grid', { name: 'Exchanges' });
    expect(await ask(first.proxy, ownCa)).toMatchObject({ exitCode: 0 });
    await expect(grid.getByText('/image-0.gif')).toBeVisible();

    const intercept = first.window.getByRole('button', { name: 'Interception' });
    await intercept.click();
    await expect(intercept).toHaveAttribute('aria-pressed', 'false');
    // Passed through, the client meets the origin's own certificate.
    expect(await ask(first.proxy, origin.caPath)).toMatchObject({ exitCode: 0 });
    await expect(grid.getByText('CONNECT')).toBeVisible();

    const saved = path.join(folder, 'saved.har');
    await first.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, saved);
    await first.window.getByRole('button', { name: 'Export', exact: true }).first().click();
    const dialog = first.window.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('button', { name: /^Export \d+ exchanges?$/ }).click();
    await expect.poll(() => fs.existsSync(saved)).toBe(true);
    const { log } = JSON.parse(fs.readFileSync(saved, 'utf8'));
    expect(log.entries[0].request.url).toBe(`${origin.url}image-0.gif`);
    expect(log.entries[0].response).toMatchObject({ status: 200, httpVersion: 'HTTP/2.0' });
    await first.app.close();

    const second = await start();
    await expect(second.window.getByRole('button', { name: 'Interception' })).toHaveAttribute('aria-pressed', 'false');
    await second.app.close();
  });

  test('waits for open exchanges when quit during traffic, and closes the session cleanly', async () => {
    const open = new Map<string, http.ServerResponse>();
    const slow = await plainOrigin((request, response) => {
      open.set(request.url ?? '', response);
      response.write('the first of it');
    });
    const sessions = path.join(folder, 'data/sessions');
    const { app, window, proxy } = await start();
    // Names begin with the time of their start. An app that hung and was killed leaves more.
    const session =
      fs
        .readdirSync(sessions)
        .filter((name) => name.endsWith('.roundtrip'))
        .sort()
        .at(-1) ?? '';
    const { hostname, port } = new URL(proxy);
    const ask = async (target: string) => {
      const request = http.request({ hostname, port, path: slow.url + target, agent: false }).end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      return text(response).catch((error: unknown) => error);
    };
    const responses = [ask('/ends'), ask('/endless')];
    const grid = window.getByRole('grid', { name: 'Exchanges' });
    await expect(grid.getByText('/ends')).toBeVisible();
    await expect(grid.getByText('/endless')).toBeVisible();
    const windowGone = window.waitForEvent('close');
    const closing = app.close();
    await windowGone;
    open.get('/ends')?.end(', and the rest');
    expect(await Promise.all(responses)).toMatchObject(['the first of it, and the rest', { code: 'ECONNRESET' }]);
    await closing;
    expect(fs.readdirSync(sessions).filter((name) => name.startsWith(session))).toEqual([session]);
    const reader = new SessionReader(path.join(sessions, session));
    const rows = reader.page(0, 10).rows.sort((a, b) => a.path.localeCompare(b.path));
    expect(rows).toMatchObject([
      { path: '/endless', state: 'failed', failureCode: 'engine.stopped' },
      { path: '/ends', state: 'complete' },
    ]);
    reader.close();
    slow.close();
  });

  // The last: its rules and its profile stay in the data folder.
  test('mocks, runs a script, holds for editing, resends, sends a pasted cURL command, and throttles', async () => {
    const rules = [
      { name: 'mock', when: 'path:/mock', do: [{ answer: { status: 418, body: 'mocked' } }] },
      {
        name: 'script',
        when: 'path:/script',
        do: [{ script: { code: "function onRequest(r) { r.headers.set('x-from', 'script'); }" } }],
      },
      { name: 'hold', when: 'path:/hold', do: [{ break: { on: 'request' } }] },
    ];
    fs.writeFileSync(path.join(folder, 'data/rules.json'), JSON.stringify({ version: 1, rules }));
    const received: string[] = [];
    const echo = await plainOrigin(async (request, response) => {
      const body = await text(request);
      received.push(`${request.method} ${request.url} ${request.headers['x-from'] ?? '-'} ${body}`.trimEnd());
      response.end(body);
    });
    const { app, window, proxy } = await start();
    const ask = async (target: string, sent: string) => {
      const { status, body } = await requestThrough(proxy, echo.url + target, { method: 'POST', body: sent });
      return { status, body };
    };
    expect(await ask('/mock', 'tea')).toEqual({ status: 418, body: 'mocked' });
    expect(await ask('/script', 'a')).toEqual({ status: 200, body: 'a' });
    const held = ask('/hold', 'as it was');
    await window.getByRole('button', { name: '1 message held' }).click();
    const panel = window.getByRole('region', { name: 'Breakpoints' });
    // The plain field shown until the editor has loaded has the same name.
    const body = panel.locator('.cm-content');
    await expect(body).toHaveText('as it was');
    await body.fill('edited');
    await panel.getByRole('button', { name: 'Send edited' }).click();
    expect((await held).body).toBe('edited');
    await window.keyboard.press('Escape');

    const row = (target: string) => window.getByRole('row').filter({ hasText: target });
    await row('/script').click();
    await window.keyboard.press('r');
    await expect(row('/script')).toHaveCount(2);
    await window.keyboard.press('n');
    const url = window.getByRole('dialog').getByRole('textbox', { name: 'URL', exact: true });
    await url.focus();
    const command = `curl '${echo.url}/pasted' -H 'X-From: curl' --data-raw 'b'`;
    await window.evaluate((pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, command);
    await expect(url).toHaveValue(`${echo.url}/pasted`);
    await window.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => received).toHaveLength(4);
    expect(received.map((line) => line.split(' ').slice(1).join(' '))).toEqual([
      ...['/script script a', '/hold - edited', '/script script a', '/pasted curl b'],
    ]);

    await window.getByRole('button', { name: 'Throttle' }).click();
    await window.getByRole('radio', { name: /Slow 4G/ }).click();
    await expect(window.getByRole('button', { name: 'Throttle: Slow 4G' })).toBeAttached();
    const asked = performance.now();
    expect((await ask('/slow', 'c')).body).toBe('c');
    // Its round trip.
    expect(performance.now() - asked).toBeGreaterThanOrEqual(150);
    await app.close();
    echo.close();
  });
});
