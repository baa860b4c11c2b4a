import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { callHost } from '../support/call-host.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { requestThrough } from '../support/request-through.ts';
import { type ServedHost, serveHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.SESSION_PICTURES;

let folder: string;
let origin: PlainOrigin;
let host: ServedHost;
let scene: WindowScene;
let page: Page;

async function get(proxy: string, where: string): Promise<string> {
  return (await requestThrough(proxy, `${origin.url}${where}`)).body;
}

/** Records these paths into a session file, and returns its path. */
async function recorded(name: string, ...paths: string[]): Promise<string> {
  const file = path.join(folder, `${name}.roundtrip`);
  const recording = await serveHost('--session', file);
  for (const each of paths) await get(recording.proxy, each);
  await recording.close();
  return file;
}

const picture = (name: string) => takePictures(page, PICTURES, name);

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-sessions-'));
  origin = await plainOrigin((request, response) => response.end(`the body of ${request.url}`));
  scene = await windowScene();
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const tab = (name: string) => page.getByRole('tab', { name });
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

test('an opened session is read in its own tab while recording continues', async () => {
  const file = await recorded('yesterday', '/old/one', '/old/two');
  const size = fs.statSync(file).size;
  await get(host.proxy, '/new/one');
  await expect(row('/new/one')).toBeVisible();
  await expect(page.getByRole('tablist', { name: 'Sessions' })).toHaveCount(0);

  await callHost(host.ui, 'sessions.open', { path: file });
  await expect(tab('yesterday')).toHaveAttribute('aria-selected', 'true');
  await expect(row('/old/one')).toBeVisible();
  await expect(row('/new/one')).toHaveCount(0);
  await expect(page.getByTestId('counts')).toHaveText('2 exchanges');
  await row('/old/two').click();
  await page.keyboard.press('3');
  await expect(page.getByText('the body of /old/two')).toBeVisible();
  await picture('opened');
  await expect(page.getByRole('button', { name: 'Clear' })).toBeDisabled();

  await get(host.proxy, '/new/two');
  await expect(row('/new/two')).toHaveCount(0);
  await tab('Current recording').click();
  await expect(row('/new/two')).toBeVisible();
  await expect(page.getByText('the body of /old/two')).toHaveCount(0);
  await picture('recording');

  await page.getByRole('button', { name: 'Close yesterday' }).click();
  await expect(page.getByRole('tablist', { name: 'Sessions' })).toHaveCount(0);
  await expect(row('/new/two')).toBeVisible();
  expect(fs.statSync(file).size).toBe(size);
});

test('filters apply to the shown session, and a new window finds the open sessions', async () => {
  const file = await recorded('morning', '/tea', '/coffee');
  await callHost(host.ui, 'sessions.open', { path: file });
  await expect(row('/tea')).toBeVisible();
  await page.getByRole('combobox', { name: 'Filter' }).fill('path:/coffee');
  await expect(row('/tea')).toHaveCount(0);
  await expect(row('/coffee')).toBeVisible();

  const other = await (await scene.viewer.newContext()).newPage();
  await other.goto(host.ui);
  await other.getByRole('tab', { name: 'morning' }).click();
  await expect(other.getByRole('row').filter({ hasText: '/tea' })).toBeVisible();
  await other.keyboard.press('ArrowLeft');
  await expect(other.getByRole('tab', { name: 'Current recording' })).toHaveAttribute('aria-selected', 'true');
});
