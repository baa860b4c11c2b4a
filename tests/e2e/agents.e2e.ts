import http from 'node:http';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { callHost } from '../support/call-host.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { resourceIn, spansIn } from '../support/otlp-request.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import type { ServedHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.AGENTS_PICTURES;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Answers everything, and keeps what a collector would get. */
let server: PlainOrigin;
let requests: { url: string; body: Buffer }[];
let host: ServedHost;
let scene: WindowScene;
let page: Page;

const dialog = () => page.getByRole('dialog');
const picture = (name: string) => takePictures(page, PICTURES, name);

/** A GET; through the proxy if `proxy` is given. Resolves with the status. */
function get(url: string, { proxy, headers = {} }: { proxy?: string; headers?: http.OutgoingHttpHeaders } = {}) {
  const { hostname, port } = new URL(proxy ?? url);
  const { host: authority, pathname } = new URL(url);
  const options = { hostname, port, path: proxy ? url : pathname, headers: { host: authority, ...headers } };
  return new Promise<number>((resolve, reject) => {
    http
      .get({ ...options, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
      .once('error', reject);
  });
}

async function expectAccessible(): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
}

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  requests = [];
  server = await plainOrigin(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    requests.push({ url: request.url ?? '', body: Buffer.concat(pieces) });
    response.end('{}');
  });
  scene = await windowScene();
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  server.close();
});

test('agents may write only after a switch, and send only to approved hosts', async () => {
  await page.getByRole('button', { name: 'Agents and tracing' }).click();
  await expect(dialog().getByLabel('They may send to')).toHaveCount(0);
  await dialog().getByRole('checkbox', { name: 'Let agents change traffic' }).click();
  await dialog().getByLabel('They may send to').fill('Staging.example.com localhost');
  await dialog().getByRole('button', { name: 'Approve' }).click();
  await expect(dialog().getByRole('button', { name: 'Approve' })).toBeDisabled();
  await expect(dialog().getByLabel('They may send to')).toHaveValue('staging.example.com, localhost');
  const sizes = await dialog()
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => box.clientWidth));
  expect(new Set(sizes)).toEqual(new Set([16]));
  await picture('agents');
  await expectAccessible();
  expect(await callHost(host.ui, 'settings.get', {})).toMatchObject({
    agentsMayWrite: true,
    agentsSendTo: ['staging.example.com', 'localhost'],
  });
});

test('exchanges go to the collector, and the inspector opens their trace', async () => {
  await page.getByRole('button', { name: 'Agents and tracing' }).click();
  await dialog().getByLabel('Collector').fill('localhost:4318');
  await expect(dialog()).toContainText("is not a collector's address");
  await picture('bad collector');
  await dialog().getByLabel('Collector').fill(server.url);
  await dialog().getByLabel('Trace address').fill(`${server.url}/trace/{traceId}`);
  const save = dialog().getByRole('button', { name: 'Save' });
  await save.click();
  // Saved. Exchanges that begin earlier are not exported.
  await expect(save).toBeDisabled();
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
  expect(await get(`${server.url}/users/17`, { proxy: host.proxy, headers: { traceparent } })).toBe(200);
  // The exporter's thread yields to all other work: a busy machine gives it little time.
  await expect(dialog().getByText('1 exchange exported')).toBeVisible({ timeout: 240_000 });
  await picture('exported');
  await expectAccessible();
  // A client that reads the response too late sends the same again.
  const spans = requests.find(({ url }) => url === '/v1/traces')?.body ?? Buffer.alloc(0);
  expect(resourceIn(spans)).toMatchObject({ 'service.name': 'roundtrip' });
  expect(spansIn(spans)[0]).toMatchObject({ traceId: TRACE, name: 'GET /users/{id}' });
  await page.keyboard.press('Escape');
  await page.getByRole('row').filter({ hasText: '/users/17' }).click();
  const link = page.getByRole('link', { name: 'Open trace' });
  await expect(link).toHaveAttribute('href', `${server.url}/trace/${TRACE}`);
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await expect.poll(() => requests.map(({ url }) => url)).toContain(`/trace/${TRACE}`);
  await opened.close();
  await picture('trace link');
});

test('a reverse listener is added, records, and is removed', async () => {
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog().getByLabel('Server to answer as').fill('ftp://nowhere');
  await expect(dialog().locator('.bad').last()).toBeVisible();
  await dialog().getByLabel('Server to answer as').fill(server.url);
  await dialog().getByLabel('Server to answer as').press('Enter');
  const listener = dialog().getByRole('list', { name: 'Reverse listeners' }).getByRole('listitem');
  await expect(listener).toContainText(`answers as ${server.url}`);
  const url = () => listener.locator('b').textContent();
  await expect.poll(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const address = (await url()) ?? '';
  await listener.scrollIntoViewIfNeeded();
  await picture('reverse listener');
  await expectAccessible();
  expect(await get(`${address}/by-listener`)).toBe(200);
  await dialog()
    .getByRole('button', { name: `Remove the listener for ${server.url}` })
    .click();
  await expect(listener).toHaveCount(0);
  await expect.poll(() => get(address).catch((error: NodeJS.ErrnoException) => error.code)).toBe('ECONNREFUSED');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: '/by-listener' })).toBeVisible();
});
