import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHostIn } from '../served-host.ts';
import { shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/**
 * The pictures of docs/upstream-proxy.md, docs/proxy-logins.md and docs/rule-files.md: what files and proxies decide.
 * `npm run screenshots` takes them last. Takes a folder, docs/screenshots otherwise.
 */
const FOLDER = process.argv[2] ?? path.resolve(import.meta.dirname, '../../../docs/screenshots');

const LOGIN = { user: 'ada', password: 'analytical' };

/** A proxy that opens tunnels to this machine for clients that log in, and serves the PAC file that names it. */
async function officeProxy(): Promise<{ address: string; close(): void }> {
  const expected = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
  let address = '';
  const proxy = http
    .createServer((_request, response) => response.end(pacScript(address)))
    .on('connect', ({ headers, url = '' }, client: net.Socket, head: Buffer) => {
      client.on('error', () => client.destroy());
      if (headers['proxy-authorization'] !== expected) {
        client.end('HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm="office"\r\nConnection: close\r\n\r\n');
        return;
      }
      const upstream = net.connect(Number(new URL(`http://${url}`).port || 80), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.write(head);
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => client.destroy());
    });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { address, close: () => void proxy.close() };
}

const pacScript = (proxy: string) => `function FindProxyForURL(url, host) {
  return shExpMatch(host, 'images.*') ? 'DIRECT' : 'PROXY ${proxy}';
}
`;

const FAULTY = `{ "version": 1, "rules": [
  { "name": "slow", "do": [{ "delay": { "ms": -1 } }] },
  { "name": "red", "do": [{ "mark": { "color": "red" } }] } ] }
`;
const FAULTLESS = `{ "version": 1, "rules": [
  { "name": "slow", "do": [{ "delay": { "ms": 10 } }] } ] }
`;

async function take(page: Page, name: string, part: Locator): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(600);
  await part.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/** How a request reached its server: through the proxy that the PAC file named. */
async function takeRoute(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Exchanges' }).getByTitle('/v1/session').first().click();
  await page.getByRole('tab', { name: 'Connection' }).click();
  await page.getByRole('heading', { name: 'Route' }).scrollIntoViewIfNeeded();
  await take(page, 'route', page.getByRole('region', { name: 'Inspector' }));
}

async function takeLogin(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Proxy settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Host to test with').fill(new URL(url).host);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('through').first().waitFor();
  await take(page, 'login', dialog);
  await page.keyboard.press('Escape');
}

/** The rules dialog after a change of its file that has faults: the previous rules stay in use. */
async function takeFaults(page: Page, file: string): Promise<void> {
  fs.writeFileSync(file, FAULTY);
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await page.getByRole('dialog').getByText('must be at least 0').waitFor();
  await take(page, 'rule-faults', page.getByRole('dialog'));
  await page.keyboard.press('Escape');
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('No Chrome, Chromium or Edge here: CHROME_PATH names one.');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-pictures-'));
  const rules = path.join(folder, 'rules.json');
  const proxy = await officeProxy();
  fs.writeFileSync(rules, FAULTLESS);
  const shop = await shopOrigin();
  const login = { ROUNDTRIP_PROXY_USER: LOGIN.user, ROUNDTRIP_PROXY_PASSWORD: LOGIN.password };
  const pac = `http://${proxy.address}/proxy.pac`;
  const host = await serveHostIn(login, '--upstream-ca', shop.caPath, '--rules', rules, '--upstream-pac', pac);
  const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const client = await browserThrough(executablePath, host);
  try {
    const page = await viewer.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(6_000);
    await page.goto(host.ui);
    await visitShop(client, shop);
    await takeFaults(page, rules);
    await takeRoute(page);
    await takeLogin(page, shop.shop);
  } finally {
    await client.close();
    await viewer.close();
    await host.close();
    shop.close();
    proxy.close();
    fs.rmSync(folder, { recursive: true });
  }
}

await main();
