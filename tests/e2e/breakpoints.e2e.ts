import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { requestThrough } from '../support/request-through.ts';
import type { ServedHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.BREAK_PICTURES;

let folder: string;
let origin: PlainOrigin;
let host: ServedHost;
let scene: WindowScene;
let page: Page;

async function send(where: string, body: string): Promise<{ status: number; body: string }> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const { status, body: received } = await requestThrough(host.proxy, `${origin.url}${where}`, sent);
  return { status, body: received };
}

const picture = (name: string) => takePictures(page, PICTURES, name);

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-breaks-'));
  const rules = [{ name: 'orders', when: 'path:/orders', do: [{ break: { on: 'both' } }] }];
  fs.writeFileSync(path.join(folder, 'rules.json'), JSON.stringify({ version: 1, rules }));
  origin = await plainOrigin((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ method: request.method, added: request.headers['x-added'], received: body }));
    });
  });
  scene = await windowScene('--rules', path.join(folder, 'rules.json'));
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a request and its response are held, edited and sent on', async () => {
  const panel = page.getByRole('region', { name: 'Breakpoints' });
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await send('/open', '{}');
  await filter.focus();
  const first = send('/orders', '{"count":1}');
  const entry = page.getByRole('button', { name: '1 message held' });
  await expect(entry).toBeVisible();
  await expect(panel).toHaveCount(0);
  await expect(filter).toBeFocused();

  await entry.click();
  const body = panel.getByRole('textbox', { name: 'Request body' });
  await expect(body).toHaveText('{"count":1}');
  const second = send('/orders?later', '{"count":2}');
  await expect(panel.getByText('2 messages are held')).toBeVisible();
  await expect(body).toHaveText('{"count":1}');
  await picture('breaks-request');
  expect((await new AxeBuilder({ page }).include('.breaks').analyze()).violations).toEqual([]);

  const headers = panel.getByRole('textbox', { name: 'Request headers' });
  await headers.fill(`${await headers.inputValue()}\nno colon`);
  await expect(panel.getByRole('alert')).toContainText('is not "name: value"');
  await expect(panel.getByRole('button', { name: 'Send edited' })).toHaveCount(0);
  await headers.fill((await headers.inputValue()).replace('no colon', 'X-Added: by hand'));
  await panel.getByRole('textbox', { name: 'Method' }).fill('PUT');
  await body.fill('{"count":100}');
  await panel.getByRole('button', { name: 'Send edited' }).click();

  await panel.getByRole('button', { name: /response/ }).click();
  const responseBody = panel.getByRole('textbox', { name: 'Response body' });
  await expect(responseBody).toContainText('by hand');
  await expect(responseBody).toContainText('PUT');
  await panel.getByRole('textbox', { name: 'Status' }).fill('202');
  await responseBody.fill('{"edited":true}');
  await picture('breaks-response');
  await panel.getByRole('button', { name: 'Send edited' }).click();
  expect(await first).toEqual({ status: 202, body: '{"edited":true}' });

  await panel.getByRole('button', { name: 'Answer instead' }).click();
  await panel.getByRole('textbox', { name: 'Status' }).fill('418');
  await picture('breaks-answer');
  await panel.getByRole('button', { name: 'Send answer' }).click();
  // The rule also holds the response. The form of the answer has a body, too.
  await expect(panel.getByRole('button', { name: /^418 .* response/ })).toBeVisible();
  await expect(panel.getByRole('textbox', { name: 'Response body' })).toHaveText('{}');
  await panel.getByRole('button', { name: 'Abort…' }).click();
  await page.getByRole('menuitem', { name: 'Answer 503' }).click();
  expect((await second).status).toBe(503);
  await expect(panel.getByText('Nothing is held')).toBeVisible();
  await picture('breaks-empty');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});
