import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { hasProgram } from '../support/has-program.ts';
import { type ImageOrigin, imageOrigin } from '../support/image-origin.ts';
import { type ServedHost, serveHostIn } from '../support/served-host.ts';
import { filterList, launchViewer, type Viewer } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();
/** A folder for screenshots of each step of the first run. */
const PICTURES = process.env.STATE_PICTURES;
const HAS_FIREFOX = hasProgram('firefox-esr', '--version') && hasProgram('sh', '-c', 'command -v certutil');
const CHROME = 'Chrome (CHROME_PATH)';

/** A folder with a headless browser, and a terminal without a screen whose user presses Enter once. */
function programs(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-programs-'));
  const browser = `#!/bin/sh\nexec ${EXECUTABLE} --headless=new --disable-gpu --disable-dev-shm-usage "$@"\n`;
  fs.writeFileSync(path.join(folder, 'browser'), browser, { mode: 0o755 });
  const firefox = '#!/bin/sh\nexec firefox-esr --headless "$@"\n';
  if (HAS_FIREFOX) fs.writeFileSync(path.join(folder, 'firefox'), firefox, { mode: 0o755 });
  const terminal = '#!/bin/sh\nshift\n{ echo; sleep 100; } | "$@" >/dev/null 2>&1\n';
  fs.writeFileSync(path.join(folder, 'x-terminal-emulator'), terminal, { mode: 0o755 });
  return folder;
}

/** Ends with the process of the test. Resolves with its address. */
async function plainServer(): Promise<string> {
  const server = http.createServer((_request, response) => response.end('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.unref().address() as AddressInfo).port}`;
}

test.describe('the first run', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);
  let folder: string;
  let origin: ImageOrigin;
  let host: ServedHost;
  let viewer: Viewer;
  let window: Page;

  test.beforeEach(async () => {
    folder = programs();
    origin = await imageOrigin('h2', 3);
    const env = { CHROME_PATH: path.join(folder, 'browser'), PATH: `${folder}:${process.env.PATH}`, TERMINAL: '' };
    host = await serveHostIn(env, '--upstream-ca', origin.caPath);
    viewer = await launchViewer();
    window = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await window.goto(host.ui);
  });

  test.afterEach(async () => {
    await viewer.close();
    await host.close();
    origin.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('captures and verifies the first HTTPS exchange after one click', async () => {
    const clicks: string[] = [];
    const steps: string[] = [];
    const began = Date.now();
    // Reported, not asserted: how long a step takes depends on the machine.
    const step = async (name: string) => {
      steps.push(`${((Date.now() - began) / 1000).toFixed(1)} s: ${name}`);
      if (PICTURES) await window.screenshot({ path: path.join(PICTURES, `first-run-${steps.length}.png`) });
    };
    const click = async (name: string) => {
      clicks.push(name);
      await window.getByRole('button', { name, exact: true }).click();
      await step(`click on ${name}`);
    };
    await step('the window, empty');
    await window.getByRole('textbox', { name: 'Address to open' }).fill(origin.url);
    await step('an address typed');
    await click(`Open ${CHROME}`);
    const grid = window.getByRole('grid', { name: 'Exchanges' });
    const row = grid
      .getByRole('row')
      .filter({ hasText: new URL(origin.url).host })
      .first();
    await expect(row).toContainText('200');
    await step('the first HTTPS exchange is in the list');
    test.info().annotations.push({ type: 'steps', description: steps.join('; ') });
    expect(clicks.length).toBeLessThanOrEqual(2);

    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    const programs_ = window.getByRole('list', { name: 'Programs' });
    await expect(programs_).toContainText('Captured and trusted');
    await expect(grid.getByText('roundtrip.invalid')).toHaveCount(0);
    await programs_.getByRole('button', { name: `Close ${CHROME}` }).click();
    await expect(programs_).toHaveCount(0);
  });

  test('opens Firefox, and verifies it in the same way', async () => {
    test.skip(!HAS_FIREFOX, 'no firefox-esr, or no certutil of NSS on this machine');
    await window.getByRole('textbox', { name: 'Address to open' }).fill(origin.url);
    await window.getByRole('button', { name: 'Open Firefox', exact: true }).click();
    const { host: name, hostname } = new URL(origin.url);
    // Firefox itself also contacts many hosts, and the list draws only the rows on screen.
    await filterList(window, `host:${hostname}`);
    const rows = window.getByRole('grid', { name: 'Exchanges' }).getByRole('row').filter({ hasText: name });
    await expect(rows.first()).toContainText('200');
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    const row = window.getByRole('list', { name: 'Programs' }).getByRole('listitem').filter({ hasText: 'Firefox' });
    await expect(row).toContainText('Captured and trusted');
    await expect(row).not.toContainText('capture.loopback-bypassed');
    await row.getByRole('button', { name: 'Close Firefox' }).click();
  });

  test('opens a terminal whose programs are captured', async () => {
    test.skip(!hasProgram('curl'), 'no curl on this machine');
    await window.getByRole('button', { name: 'Open Terminal' }).click();
    await expect(window.getByRole('list', { name: 'Programs' })).toContainText('Ready');
  });

  test('runs a command in a terminal, and shows how it ended', async () => {
    test.skip(!hasProgram('curl'), 'no curl on this machine');
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    const section = window.getByRole('region', { name: 'Run a command' });
    const seen = path.join(folder, 'seen');
    await section
      .getByRole('textbox', { name: 'Command to run' })
      .fill(`curl -fsS ${origin.url}; until [ -e '${seen}' ]; do sleep 0.1; done; exit 3`);
    await section.getByRole('button', { name: 'Run' }).click();
    const programs_ = window.getByRole('dialog').getByRole('list', { name: 'Programs' });
    await expect(programs_).toContainText('Captured and trusted');
    fs.writeFileSync(seen, '');
    await expect(programs_).toContainText('Ended with exit code 3');
    await expect(programs_).toContainText('Was captured and trusted.');
    await section.getByRole('textbox', { name: 'Command to run' }).fill('');
    const recent = section.getByRole('list', { name: 'Recent commands' });
    await recent.getByRole('button', { name: 'curl' }).first().click();
    await expect(section.getByRole('textbox', { name: 'Command to run' })).toHaveValue(/^curl -fsS/);
    await section.getByRole('textbox', { name: 'Command to run' }).fill('');
    await recent.getByRole('button', { name: /^Remove curl/ }).click();
    await expect(recent).toHaveCount(0);
    const rows = window
      .getByRole('grid', { name: 'Exchanges', includeHidden: true })
      .getByText(new URL(origin.url).host);
    await expect(rows.first()).toBeAttached();
  });

  test('checks a running program manually', async () => {
    test.skip(!hasProgram('curl'), 'no curl on this machine');
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    await window.getByRole('button', { name: 'Check', exact: true }).click();
    const dialog = window.getByRole('dialog', { name: 'Connect a program' });
    const row = dialog.getByRole('list', { name: 'Programs' });
    await expect(row).toContainText('Waiting for check');
    const url = (await row.locator('code').textContent()) ?? '';
    const curl = promisify(execFile);
    await curl('curl', ['-sS', '--proxy', host.proxy, url]);
    await expect(row).toContainText('Captured');
    await curl('curl', ['-sS', '--proxy', host.proxy, url.replace('http:', 'https:')]).catch(() => null);
    await expect(row).toContainText('Captured, not trusted');
    await expect(row).toContainText('unknown CA, alert 48');
    await curl('curl', ['-sS', '--proxy', host.proxy, '--cacert', host.caPath, url.replace('http:', 'https:')]);
    await expect(row).toContainText('Captured and trusted');
  });

  test('acts as the server for a program without proxy settings until the user removes the listener', async () => {
    const target = await plainServer();
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    const section = window.getByRole('region', { name: 'Programs without proxy settings' });
    const server = section.getByRole('textbox', { name: 'Server to answer as' });
    await server.fill('ftp://localhost');
    await expect(section).toContainText('"ftp://localhost" is not an origin');
    await expect(section.getByRole('button', { name: 'Add' })).toBeDisabled();
    await server.fill(target);
    await server.press('Enter');
    const listener = section.getByRole('listitem').filter({ hasText: `answers as ${target}` });
    // The address appears once the listener is open.
    await expect(listener.locator('b')).toContainText('http://127.0.0.1:');
    const url = (await listener.locator('b').textContent()) ?? '';
    expect(await (await fetch(url)).text()).toBe('served');
    await section.getByRole('textbox', { name: 'Port, or address and port' }).fill(new URL(url).port);
    await server.fill('http://localhost:1');
    await section.getByRole('button', { name: 'Add' }).click();
    await expect(section.getByRole('listitem').filter({ hasText: 'localhost:1' })).toContainText('is in use');
    await section.getByRole('button', { name: 'Remove the listener for http://localhost:1' }).click();
    await section.getByRole('button', { name: `Remove the listener for ${target}` }).click();
    await expect(section.getByRole('listitem')).toHaveCount(0);
    // A new connection: those that are open stay.
    const state = () =>
      promisify(execFile)('curl', ['-sS', url]).then(
        () => 'open',
        () => 'closed',
      );
    await expect.poll(state).toBe('closed');
  });

  test('is open to devices only while the user allows it', async () => {
    // A connection that is kept open ends when the listener moves to another address.
    const page = () =>
      fetch(host.proxy, { headers: { connection: 'close' } }).then((response) => response.text(), String);
    // While it is closed, it sends an empty response.
    expect(await page()).toBe('');
    await window.getByRole('button', { name: 'Connect', exact: true }).click();
    const devices = window.getByRole('region', { name: 'Phones and other devices' });
    await devices.getByRole('button', { name: 'Open to the network' }).click();
    await expect(devices).toContainText('The proxy accepts connections from the network');
    const exposed = devices.getByRole('list', { name: 'What is exposed' });
    await expect(exposed).toContainText('They can’t reach services on this machine');
    const allow = devices.getByRole('checkbox', { name: 'Let other devices reach services on this machine' });
    await allow.click();
    await expect(exposed).toContainText('They can reach services on this machine, including localhost');
    await allow.click();
    await expect(exposed).toContainText('They can’t reach services on this machine');
    await expect.poll(page).toContain('Connect this device');
    await devices.getByRole('button', { name: 'Close' }).click();
    await expect(devices).toContainText('Only this machine can reach the proxy');
    await expect.poll(page).toBe('');
  });

  test('passes a host through with one click after its client refuses our certificate', async () => {
    test.skip(!hasProgram('curl'), 'no curl on this machine');
    const curl = (...more: string[]) =>
      promisify(execFile)('curl', ['-sS', '--proxy', host.proxy, ...more, origin.url]).catch(() => null);
    expect(await curl()).toBeNull();
    await window.getByRole('row').filter({ hasText: 'localhost' }).click();
    const notice = window.getByRole('region', { name: 'Certificate rejected' });
    await expect(window.getByRole('tabpanel')).toContainText('unknown CA, alert 48');
    await notice.getByRole('button', { name: 'Pass localhost through' }).click();
    await expect(notice).toContainText('are passed through without decryption');
    expect((await curl('--cacert', origin.caPath))?.stdout).toContain('Images');
  });
});
