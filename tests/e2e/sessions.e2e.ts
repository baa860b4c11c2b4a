import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
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

test('a copy of the recording is open next to it, and the recording continues in it with a click', async () => {
  await get(host.proxy, '/before');
  await expect(row('/before')).toBeVisible();
  await page.keyboard.press('Control+o');
  const dialog = page.getByRole('dialog', { name: 'Sessions' });
  const items = dialog.locator('.session-item');
  await items.getByRole('button', { name: 'Name and note' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Tea & 🫖');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveTitle('Tea & 🫖, recording - Roundtrip');
  await items.getByRole('button', { name: 'Duplicate' }).click();
  await items.filter({ hasText: 'Tea & 🫖 copy' }).getByRole('button', { name: 'Open' }).click();
  await expect(tab('Tea & 🫖 copy')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveTitle('Tea & 🫖 copy - Roundtrip');
  await get(host.proxy, '/after');
  await expect(row('/before')).toBeVisible();
  await expect(row('/after')).toHaveCount(0);
  await picture('copy');

  await page.getByRole('button', { name: 'Continue recording' }).click();
  await expect(page.getByRole('tablist', { name: 'Sessions' })).toHaveCount(0);
  await expect(page).toHaveTitle('Tea & 🫖 copy, recording - Roundtrip');
  await get(host.proxy, '/into-the-copy');
  await expect(row('/into-the-copy')).toBeVisible();
  await expect(row('/before')).toBeVisible();
  await expect(row('/after')).toHaveCount(0);
});

test('messages in a wide dialog cover neither its title nor its buttons', async () => {
  await page.keyboard.press('Control+o');
  const dialog = page.getByRole('dialog', { name: 'Sessions' });
  await dialog.getByLabel('Open or import a file').fill('/nowhere/a.har');
  await dialog.getByRole('button', { name: 'Open file' }).click();
  const toast = dialog.locator('.toast');
  await expect(toast).toContainText('/nowhere/a.har');
  await picture('message');
  // Scrolls what is covered into view first; a click that a message would get times out.
  await dialog.getByText('Delete old sessions').click({ trial: true });
  await dialog.getByRole('button', { name: 'Open file' }).click({ trial: true });
  const bottomOf = async (part: Locator) => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height;
  };
  expect((await toast.boundingBox())?.y).toBeGreaterThan(await bottomOf(dialog.getByRole('heading')));
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(dialog).toHaveCount(0);
});

test('with more tabs than fit, the shown one and the buttons are in sight', async () => {
  const names = Array.from({ length: 8 }, (_, at) => `a session with a long name ${at}`);
  for (const name of names) await callHost(host.ui, 'sessions.open', { path: await recorded(name, '/x') });
  await expect(tab(names[7] ?? '')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(names[7] ?? '')).toBeInViewport({ ratio: 0.98 });
  await expect(page.getByRole('button', { name: `Close ${names[7]}` })).toBeInViewport({ ratio: 0.98 });
  await expect(page.getByRole('button', { name: 'Continue recording' })).toBeInViewport({ ratio: 0.98 });
  await picture('many-tabs');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(tab('Comparison')).toBeInViewport({ ratio: 0.98 });
});
