import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { curl } from '../support/curl.ts';
import { DesktopStarter } from '../support/desktop-app.ts';
import { CAN_RUN_DESKTOP } from '../support/desktop-bundles.ts';
import { type XDisplay, xDisplay } from '../support/x-display.ts';

/** In a setting, and in a request's path, header and body: none of it may be in the log. */
const SECRET = 'hunter2-not-for-logs';
const MOST_LOG = 1024 * 1024;

interface Boxes {
  boxes: string[];
  opened: string[];
}

test.describe('when something goes wrong in the desktop app', () => {
  test.skip(!CAN_RUN_DESKTOP, 'no Electron binary that runs here, or no Xvfb to show its window on');
  test.describe.configure({ timeout: 300_000 });

  let folder: string;
  let display: XDisplay;
  let app: ElectronApplication;
  let window: Page;
  let printed = '';
  const logFile = (name = 'roundtrip.log') => path.join(folder, 'data/logs', name);

  test.beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-help-'));
    display = await xDisplay();
    fs.mkdirSync(path.dirname(logFile()), { recursive: true });
    fs.writeFileSync(logFile(), `${'an older line\n'.repeat(MOST_LOG / 14)}the newest old line\n`);
    ({ app, window } = await new DesktopStarter(folder, display).start({ more: ['--verbose'] }, (launched) => {
      launched.process().stderr?.on('data', (piece: Buffer) => {
        printed += piece.toString();
      });
    }));
    await app.evaluate(({ dialog, shell }) => {
      const heard: Boxes = { boxes: [], opened: [] };
      Object.assign(globalThis, heard);
      dialog.showMessageBox = async (...given: unknown[]) => {
        heard.boxes.push(JSON.stringify(given));
        return { response: 0, checkboxChecked: false };
      };
      shell.openExternal = async (url) => void heard.opened.push(url);
    });
  });

  test.afterAll(async () => {
    await app?.close();
    display?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function clickHelp(label: string): Promise<void> {
    return app.evaluate(({ Menu }, wanted) => {
      const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help');
      const item = help?.submenu?.items.find((each) => each.label === wanted);
      if (item === undefined) throw new Error(`no ${wanted} in the Help menu`);
      item.click();
    }, label);
  }

  const clipboard = () => app.evaluate(({ clipboard }) => clipboard.readText());

  test('has a whole menu', async () => {
    const menus = await app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).map(({ label, role, submenu }) => [
        role === 'help' ? 'Help' : label,
        (submenu?.items ?? []).flatMap((item) => (item.type === 'separator' ? [] : [item.role ?? item.label])),
      ]),
    );
    expect(Object.fromEntries(menus)).toMatchObject({
      File: [
        'New Request…',
        'Open…',
        'Open Recent',
        'Sessions…',
        'Continue Recording In…',
        'Export…',
        'Settings…',
        'quit',
      ],
      Session: ['Record or Pause', 'Clear', 'Filter', 'Trust the CA…'],
      Help: [
        'Documentation',
        'Keyboard Shortcuts',
        'Install Command Line…',
        'Check for Updates…',
        'Check for Updates Daily',
        'Report a Problem…',
        'Copy Diagnostics',
        'Show the Log',
        'Licences',
        'about',
      ],
    });
  });

  test('opens the licences of third-party code', async () => {
    const opened = await app.evaluate(({ Menu, shell }) => {
      const files: string[] = [];
      shell.openPath = async (file) => {
        files.push(file);
        return '';
      };
      Menu.getApplicationMenu()?.getMenuItemById('licences')?.click();
      return files;
    });
    expect(opened.map((file) => path.basename(file))).toEqual(['THIRD-PARTY-LICENSES.txt']);
  });

  test('starts a new log when the current one is full, and keeps the old one', async () => {
    expect(fs.readFileSync(logFile('roundtrip.old.log'), 'utf8')).toContain('the newest old line');
    expect(fs.readFileSync(logFile(), 'utf8')).toMatch(/Roundtrip [\d.]+ starts/);
    expect(fs.statSync(logFile()).mode & 0o777).toBe(0o600);
  });

  test('prints the log too, if --verbose asks for it', async () => {
    await app.evaluate(() => void Promise.reject(new Error('printed for a terminal')));
    await expect.poll(() => printed).toContain('Unhandled rejection: Error: printed for a terminal');
    await expect.poll(() => fs.readFileSync(logFile(), 'utf8')).toContain('printed for a terminal');
  });

  test('copies diagnostics, which like the log hold no secret', async () => {
    const login = { user: 'ann', password: SECRET };
    const settings = { upstreamProxy: { enabled: true, url: 'http://127.0.0.1:9' }, proxyLogin: login };
    const changed = await window.evaluate(
      (input) =>
        (globalThis as unknown as { roundtrip: { call(message: unknown): Promise<{ ok: boolean }> } }).roundtrip.call({
          call: 1,
          name: 'settings.update',
          input,
        }),
      settings,
    );
    expect(changed).toMatchObject({ ok: true });
    const proxy =
      (await window
        .getByText(/^http:\/\/127\.0\.0\.1:\d+$/)
        .first()
        .textContent()) ?? '';
    await curl(
      { proxy, caPath: path.join(folder, 'data/ca.crt') },
      '-d',
      SECRET,
      '-H',
      `Authorization: Bearer ${SECRET}`,
      `http://a.test/?token=${SECRET}`,
    );
    await expect(window.getByText('a.test').first()).toBeVisible();
    await clickHelp('Copy Diagnostics');
    await expect.poll(clipboard).toContain('Engine: running');
    const copied = await clipboard();
    expect(copied).toMatch(/^Roundtrip [\d.]+, Electron [\d.]+, Chromium [\d.]+, Node [\d.]+\n/);
    expect(copied).toContain('Settings: ');
    expect(copied).toContain('recording=true');
    expect(copied).toContain(' starts, Electron ');
    for (const text of [copied, fs.readFileSync(logFile(), 'utf8')]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('a.test');
    }
  });

  test('reports a problem in the issue tracker, with the diagnostics on the clipboard', async () => {
    await app.evaluate(({ clipboard }) => clipboard.clear());
    await clickHelp('Report a Problem…');
    const opened = () => app.evaluate(() => (globalThis as unknown as Boxes).opened);
    await expect.poll(opened).toEqual([expect.stringMatching(/^https:\/\/.+\/issues\/new$/)]);
    expect(await clipboard()).toContain('Engine: running');
    expect(await app.evaluate(() => (globalThis as unknown as Boxes).boxes.at(-1))).toContain('no traffic');
  });

  test('outlives the terminal that it prints the log for', async () => {
    app.process().stderr?.destroy();
    for (const what of ['printed for nobody', 'printed for nobody either']) {
      await app.evaluate((_electron, reason) => void Promise.reject(new Error(reason)), what);
      await expect.poll(() => fs.readFileSync(logFile(), 'utf8')).toContain(`Error: ${what}\n`);
    }
    expect(fs.readFileSync(logFile(), 'utf8')).not.toContain('EPIPE');
  });
});
