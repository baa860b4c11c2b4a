import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath } from '../support/chromium.ts';
import { hasProgram } from '../support/has-program.ts';
import { type ServedHost, serveHostIn } from '../support/served-host.ts';
import { launchViewer, type Viewer } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();
const CAN_RUN = EXECUTABLE !== null && process.platform === 'linux' && hasProgram('sh', '-c', 'command -v certutil');

test.describe('the trust panel', () => {
  test.skip(!CAN_RUN, 'no Chromium, or no certutil of NSS on this machine');
  let home: string;
  let host: ServedHost;
  let viewer: Viewer;
  let window: Page;

  test.beforeEach(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-home-'));
    host = await serveHostIn({ HOME: home, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' });
    viewer = await launchViewer();
    window = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await window.goto(host.ui);
    await window.getByRole('button', { name: 'CA trust' }).click();
  });

  test.afterEach(async () => {
    await viewer.close();
    await host.close();
    fs.rmSync(home, { recursive: true, force: true });
  });

  const listed = () =>
    execFileSync('certutil', ['-d', `sql:${home}/.pki/nssdb`, '-L'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();

  test('installs into the chosen store, verifies that, and uninstalls again', async () => {
    const stores = window.getByRole('list', { name: 'Trust stores' });
    const row = stores.getByRole('listitem').filter({ hasText: 'Chrome, Chromium, Edge, Brave' });
    await expect(row).toContainText('Not trusted');
    // Selected by default, and the machine's own: this test uses a separate home.
    const system = stores.getByRole('checkbox', { name: /^Trust in System store/ });
    if (await system.isChecked()) await system.uncheck();
    await window.getByRole('button', { name: 'Trust in 1 store', exact: true }).click();
    await expect(row).toContainText('Trusted');
    await expect(row).toContainText('Put the CA into');
    expect(listed()).toMatch(/Roundtrip CA [0-9a-f]{8}\s+C,,/);

    await row.getByRole('button', { name: 'Remove' }).click();
    await expect(row).toContainText('Not trusted');
    expect(listed()).not.toContain('Roundtrip CA');
  });

  test('makes another CA, and lists the previous one as older', async () => {
    const stores = window.getByRole('list', { name: 'Trust stores' });
    const row = stores.getByRole('listitem').filter({ hasText: 'Chrome, Chromium, Edge, Brave' });
    const system = stores.getByRole('checkbox', { name: /^Trust in System store/ });
    if (await system.isChecked()) await system.uncheck();
    await window.getByRole('button', { name: 'Trust in 1 store', exact: true }).click();
    await expect(row).toContainText('Trusted');
    await window.getByRole('tab', { name: 'Certificate' }).click();
    await window.getByRole('button', { name: 'Create new CA' }).click();
    await window.getByRole('button', { name: 'Create new CA' }).click();
    await expect(window.getByText('New CA created')).toBeVisible();
    await window.getByRole('tab', { name: 'Stores' }).click();
    await expect(row).toContainText('Older CA');
    await row.getByRole('button', { name: 'Remove' }).click();
    await expect(row).toContainText('Not trusted');
    expect(listed()).not.toContain('Roundtrip CA');
  });
});
