import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { writeSession } from '../performance/window/window-session.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type ServedHost, serveHost } from '../support/served-host.ts';
import { launchViewer, type Viewer } from '../support/window-page.ts';

const ROWS = 700;

let viewer: Viewer;
let host: ServedHost;
let folder: string;

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.afterEach(async () => {
  await viewer?.close();
  await host?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-late-code-'));
  const file = path.join(folder, 'some.roundtrip');
  writeSession(file, ROWS);
  host = await serveHost('--session', file);
  viewer = await launchViewer();
});

/** A page without content, whose scripts with this name wait until `release` is called. */
async function holdScript(name: string): Promise<{ page: Page; release: () => void }> {
  const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return { page, release };
}

test('a window shows its rows before the code of its dialogs and inspector has loaded', async () => {
  const { page, release } = await holdScript('later-parts');
  await page.goto(host.ui);
  const row = page.locator(`[data-exchange="${ROWS}"]`);
  await row.click();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('region', { name: 'Inspector' })).toHaveCount(0);
  release();
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a message can be clicked above a dialog whose code came late', async () => {
  const { page, release } = await holdScript('later-parts');
  await page.goto(host.ui);
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  release();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Preset').selectOption({ label: 'Remove CSP' });
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Remove remove CSP' }).click();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog.getByRole('button', { name: 'Remove remove CSP' })).toBeVisible();
});

test('a window whose host has not answered yet shows no switch as on or off', async () => {
  const page = await (await viewer.newContext()).newPage();
  let answer = (): void => undefined;
  const answering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.routeWebSocket(/inspector/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage(async (message) => {
      await answering;
      socket.send(message);
    });
  });
  await page.goto(host.ui);
  const tool = (name: string) => page.getByRole('button', { name, exact: true });
  await expect(tool('Recording: Starting')).toBeDisabled();
  for (const name of ['Interception', 'HTTP/2', 'Upstream proxy']) {
    await expect(tool(name)).toBeDisabled();
    await expect(tool(name)).not.toHaveAttribute('aria-pressed');
  }
  await expect(tool('Export')).toBeEnabled();
  answer();
  await expect(tool('Recording')).toHaveAttribute('aria-pressed', 'true');
  await expect(tool('Interception')).toHaveAttribute('aria-pressed', 'true');
  await expect(tool('Upstream proxy')).toHaveAttribute('aria-pressed', 'false');
});
