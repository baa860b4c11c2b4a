import fs from 'node:fs';
import type http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { Exchange } from '../../shared/model/exchange.ts';
import { callHost } from '../support/call-host.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { type ReceivedResponse, requestThrough } from '../support/request-through.ts';
import type { ServedHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.RULE_PICTURES;

let folder: string;
let file: string;
let origins: [first: PlainOrigin, second: PlainOrigin];
let received: http.IncomingMessage[];
let host: ServedHost;
let scene: WindowScene;
let page: Page;

const CSP = "default-src 'self'";

/** An origin that names itself, and sends cache fields. */
function startOrigin(name: string): Promise<PlainOrigin> {
  return plainOrigin((request, response) => {
    received.push(request);
    response.writeHead(200, {
      ...{ etag: '"1"', expires: 'Thu, 01 Jan 2037 00:00:00 GMT', 'cache-control': 'max-age=60' },
      ...{ 'content-security-policy': CSP, 'content-security-policy-report-only': CSP },
    });
    response.end(name);
  });
}

const portOf = (origin: PlainOrigin): string => new URL(origin.url).port;

/** A request through the proxy to the first origin. */
function get(where: string, headers: http.OutgoingHttpHeaders = {}): Promise<ReceivedResponse> {
  return requestThrough(host.proxy, `${origins[0].url}${where}`, { headers });
}

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-presets-'));
  file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, '{ "version": 1, "rules": [] }');
  received = [];
  origins = [await startOrigin('the first'), await startOrigin('the second')];
  scene = await windowScene('--rules', file);
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  for (const origin of origins) origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = () => page.getByRole('dialog');

async function addPreset(label: string): Promise<void> {
  if ((await dialog().count()) === 0) await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await dialog().getByLabel('Preset').selectOption({ label });
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByLabel('Preset')).toBeVisible();
}

/** Saves the rule of a row's menu, after `edit` of its form, and closes the dialog. */
async function addFromMenu(of: string, label: string, edit = async (): Promise<void> => {}): Promise<void> {
  await row(of).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New rule' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
  await expect(dialog().getByLabel('When')).toHaveValue(`method:GET host:127.0.0.1:${portOf(origins[0])} path:${of}`);
  await edit();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByLabel('Preset')).toBeVisible();
  await takePictures(page, PICTURES, `menu-${label.toLowerCase().replaceAll(' ', '-')}`);
  await page.keyboard.press('Escape');
}

/** The exchange that the session holds for a path, once it has ended: its client may have the response before that. */
async function recorded(of: string): Promise<Exchange> {
  const { sessions } = (await callHost(host.ui, 'sessions.list', {})) as { sessions: { id: string }[] };
  const session = sessions[0]?.id;
  for (let id = 1; ; id += 1) {
    const read = async () => (await callHost(host.ui, 'exchanges.get', { session, id })) as Exchange;
    const { request } = await read();
    if (request.path !== of) continue;
    await expect.poll(async () => (await read()).state).toBe('complete');
    return await read();
  }
}

test('the presets No cache, Remove CSP and Wait 500 ms do what they say, one after the other in the list', async () => {
  for (const preset of ['No cache', 'Remove CSP', 'Wait 500 ms']) await addPreset(preset);
  await takePictures(page, PICTURES, 'presets');
  const validators = { 'if-none-match': '"1"', 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  const { headers, body } = await get('/all', validators);
  expect(body).toBe('the first');
  const [asked] = received;
  expect([asked?.headers['if-none-match'], asked?.headers['if-modified-since']]).toEqual([undefined, undefined]);
  expect(asked?.headers['cache-control']).toBe('no-cache');
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  for (const gone of ['etag', 'expires', 'content-security-policy', 'content-security-policy-report-only'])
    expect(headers[gone]).toBe(undefined);
  const { timings, rules } = await recorded('/all');
  // A timer may fire a millisecond early.
  expect(timings.rules).toBeGreaterThanOrEqual(499);
  // First those that act on the request, then those that act on the response.
  expect([...new Set(rules.map(({ name }) => name))]).toEqual(['no cache', 'wait', 'remove CSP']);
});

test('the preset Fail 10 % resets some requests, and the others arrive', async () => {
  await addPreset('Fail 10 %');
  const COUNT = 200;
  const outcomes: string[] = [];
  for (let count = 0; count < COUNT; count += 1)
    outcomes.push(
      await get('/flaky').then(
        ({ body }) => body,
        (error: NodeJS.ErrnoException) => error.code ?? '',
      ),
    );
  // None or all of 200 happens once in 10^9 runs.
  expect(new Set(outcomes)).toEqual(new Set(['the first', 'ECONNRESET']));
  expect(received).toHaveLength(outcomes.filter((outcome) => outcome === 'the first').length);
});

test("a row's menu mocks, blocks, slows down and maps requests like that one", async () => {
  for (const where of ['/mocked', '/blocked', '/slow', '/mapped', '/other']) await get(where);
  await expect(row('/other')).toBeVisible();
  received.length = 0;
  await addFromMenu('/mocked', 'Mock this');
  await addFromMenu('/blocked', 'Block');
  await addFromMenu('/slow', 'Slow down');
  await addFromMenu('/mapped', 'Map to another host', async () => {
    await dialog().getByRole('radio', { name: 'JSON' }).first().click();
    const target = { mapTo: { host: '127.0.0.1', port: Number(portOf(origins[1])) } };
    await dialog()
      .getByLabel('Actions', { exact: true })
      .fill(JSON.stringify([target]));
  });

  expect(await get('/mocked?again')).toMatchObject({ status: 200, body: '{}' });
  await expect(get('/blocked?again')).rejects.toThrow();
  expect(received).toEqual([]);
  expect((await get('/slow?again')).body).toBe('the first');
  expect((await recorded('/slow?again')).timings.rules).toBeGreaterThanOrEqual(999);
  expect((await get('/mapped?again')).body).toBe('the second');
  expect((await get('/other?again')).body).toBe('the first');
});

test("a row's menu breaks on requests like that one", async () => {
  await get('/held');
  await addFromMenu('/held', 'Break on this');
  const response = get('/held?again');
  const panel = page.getByRole('region', { name: 'Breakpoints' });
  await page.getByRole('button', { name: '1 message held' }).click();
  await panel.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(panel.getByText('the first')).toBeVisible();
  await takePictures(page, PICTURES, 'menu-break-held');
  await panel.getByRole('button', { name: 'Continue', exact: true }).click();
  expect((await response).body).toBe('the first');
});
