import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { serveHost, serveHostIn } from '../support/served-host.ts';
import { launchViewer } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();
/** The folder for screenshots, if any. */
const PICTURES = process.env.STATE_PICTURES;

/** Takes screenshots in both themes at two sizes. */
async function draw(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(PICTURES, `${colorScheme}-${name}-${width}.png`) });
    }
  }
}

/**
 * A folder of programs for PATH: a GNOME whose proxy is automatic, and a NetworkManager whose DHCP server names a PAC
 * file.
 */
function automaticDesktop(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-e2e-desktop-'));
  const programs = {
    gsettings: "org.gnome.system.proxy autoconfig-url ''\norg.gnome.system.proxy mode 'auto'",
    nmcli: 'DHCP4.OPTION[5]:                        wpad = http://127.0.0.1:1/proxy.pac',
  };
  for (const [name, says] of Object.entries(programs)) {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\ncat <<'SAYS'\n${says}\nSAYS\n`, { mode: 0o755 });
  }
  return folder;
}

const NO_PROXIES = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'XDG_CURRENT_DESKTOP'].map((name) => [
    name,
    '',
  ]),
);

test('shows the proxies that the system and network announce, and contacts none until it is chosen', async () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);
  test.skip(process.platform !== 'linux', 'the desktop is one of Linux');
  const desktop = automaticDesktop();
  const searched = `${desktop}${path.delimiter}${process.env.PATH}`;
  const host = await serveHostIn({ ...NO_PROXIES, PATH: searched });
  const named = await serveHostIn({
    ...NO_PROXIES,
    PATH: searched,
    https_proxy: 'http://ann:s3cret@proxy.corp.test:3128',
  });
  const browser = await launchViewer();
  try {
    const page = await browser.newPage();
    await page.goto(host.ui);
    await page.getByRole('button', { name: 'Proxy settings' }).click();
    const dialog = page.getByRole('dialog');
    const hint = dialog.locator('.proxy-hint');
    await expect(hint).toContainText("GNOME's network settings enable proxy detection");
    await expect(hint).toContainText('http://127.0.0.1:1/proxy.pac');
    await draw(page, 'hint-wpad');
    await dialog.getByRole('radio', { name: 'Manual' }).click();
    await expect(hint).toHaveCount(0);
    await dialog.getByRole('radio', { name: 'System' }).click();
    await draw(page, 'hint-wpad-system');
    await hint.getByRole('button', { name: 'Use WPAD' }).click();
    await expect(dialog.getByRole('radio', { name: 'WPAD' })).toBeChecked();
    await page.goto(named.ui);
    await page.getByRole('button', { name: 'Proxy settings' }).click();
    await expect(hint).toContainText('The environment variables name http://proxy.corp.test:3128.');
    await draw(page, 'hint-system');
    await hint.getByRole('button', { name: 'Use system' }).click();
    await expect(dialog.getByRole('radio', { name: 'System' })).toBeChecked();
    await draw(page, 'hint-system-chosen');
    expect(await page.content()).not.toContain('s3cret');
  } finally {
    await browser.close();
    await host.close();
    await named.close();
    fs.rmSync(desktop, { recursive: true, force: true });
  }
});

test('tests an upstream proxy before it is used, and warns while certificates are not verified', async () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);
  const proxy = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const host = await serveHost();
  const browser = await launchViewer();
  try {
    const page = await browser.newPage();
    await page.goto(host.ui);
    const tool = page.getByRole('button', { name: 'Upstream proxy' });
    const dialog = page.getByRole('dialog');
    await tool.click();
    // WPAD requires only trust in the network.
    await dialog.getByRole('radio', { name: 'WPAD' }).click();
    await expect(dialog.getByText('use it only on networks you trust')).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/proxy-wpad.png` });
    await dialog.getByRole('radio', { name: 'Manual' }).click();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('proxy.refused').waitFor();
    await expect(dialog.getByRole('button', { name: 'Save anyway' })).toBeVisible();
    const { port } = proxy.address() as AddressInfo;
    await dialog.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}`);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect(tool).toHaveAttribute('aria-pressed', 'true');
    await tool.click();
    await expect(tool).toHaveAttribute('aria-pressed', 'false');
    await tool.click();
    await page.getByText(`Tunnel through http://127.0.0.1:${port} established`).waitFor();
    await expect(tool).toHaveAttribute('aria-pressed', 'true');
    await tool.click();
    await new Promise((resolve) => proxy.close(resolve));
    await tool.click();
    await page.getByText('The upstream proxy stays off.').waitFor();
    await expect(page.locator('.toast').getByText('proxy.refused')).toBeVisible();
    await expect(tool).toHaveAttribute('aria-pressed', 'false');
    if (PICTURES) {
      await page.setViewportSize({ width: 1280, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${PICTURES}/${colorScheme}-proxy-refused.png` });
      }
    }
    await page.getByRole('button', { name: 'Use anyway' }).click();
    await expect(tool).toHaveAttribute('aria-pressed', 'true');
    await page.getByRole('button', { name: 'Proxy settings' }).click();
    await dialog.getByRole('tab', { name: 'Hosts' }).click();
    await dialog.getByRole('button', { name: 'Add host' }).click();
    await dialog.getByRole('textbox', { name: /^Host/ }).fill('*.corp.test');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('*.corp.test').waitFor();
    await dialog.getByRole('button', { name: 'Add host' }).click();
    await dialog.getByRole('textbox', { name: /^Host/ }).fill('api.test');
    await dialog.getByRole('combobox', { name: 'Proxy' }).selectOption('Custom');
    await dialog.getByRole('textbox', { name: 'Proxy address' }).fill('http://ann:s3cret@other.test:3128');
    await dialog.getByRole('textbox', { name: 'Connect to' }).fill('10.0.0.7');
    await dialog.getByRole('textbox', { name: 'Server name (SNI)' }).fill('inside.test');
    await dialog.getByRole('combobox', { name: 'Minimum TLS version' }).selectOption('TLS 1.3');
    await draw(page, 'host-rules');
    await dialog.getByRole('button', { name: 'Save' }).click();
    // A password belongs in the login, which is sealed.
    await expect(page.locator('.toast').getByText('settings.invalid')).toBeVisible();
    await draw(page, 'host-refused');
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).last().click();
    await dialog.getByRole('textbox', { name: 'Proxy address' }).fill('http://other.test:3128');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rule = dialog.getByRole('listitem').filter({ hasText: 'api.test' });
    await expect(rule).toContainText('proxy http://other.test:3128, connect to 10.0.0.7, SNI inside.test, TLSv1.3');
    await draw(page, 'hosts');
    await dialog.getByRole('button', { name: 'Edit api.test' }).click();
    await dialog.getByRole('combobox', { name: 'Proxy' }).selectOption('None');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(rule).toContainText('no proxy, connect to 10.0.0.7');
    await dialog.getByRole('button', { name: 'Remove api.test' }).click();
    await expect(rule).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText('Any certificate is accepted for *.corp.test')).toBeVisible();
    await page.getByRole('button', { name: 'Proxy settings' }).click();
    await dialog.getByRole('tab', { name: 'Limits' }).click();
    const header = dialog.getByLabel('Header block', { exact: true });
    await header.fill('7');
    await expect(dialog.getByText('Enter a number from 8 to 16384 KB.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await header.fill('512');
    await dialog.getByRole('checkbox', { name: 'Busy polling' }).check();
    if (PICTURES) await page.screenshot({ path: `${PICTURES}/limits.png` });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Proxy settings' }).click();
    await dialog.getByRole('tab', { name: 'Limits' }).click();
    await expect(header).toHaveValue('512');
    await expect(dialog.getByRole('checkbox', { name: 'Busy polling' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Reset Header block' }).click();
    await expect(header).toHaveValue('256');
  } finally {
    await browser.close();
    await host.close();
    proxy.close();
  }
});
