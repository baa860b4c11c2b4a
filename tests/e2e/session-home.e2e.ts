import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { windowReady } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.SESSION_PICTURES;

let scene: WindowScene;
let folder: string;

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.afterEach(async () => {
  await scene?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Imports a HAR without entries under this name, and opens the sessions dialog again. */
async function importedSession(name: string): Promise<{ page: Page; dialog: Locator }> {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-home-'));
  const har = path.join(folder, `${name}.har`);
  fs.writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [] } }));
  scene = await windowScene();
  const { page } = scene;
  await page.keyboard.press('Control+o');
  const dialog = page.getByRole('dialog', { name: 'Sessions' });
  await dialog.getByLabel('Open or import a file').fill(har);
  await dialog.getByRole('button', { name: 'Open file' }).click();
  await expect(page.getByRole('tab', { name })).toBeVisible();
  await page.getByRole('button', { name: 'Sessions', exact: true }).click();
  return { page, dialog };
}

test('the sessions dialog imports a file and duplicates a session', async () => {
  const { page, dialog } = await importedSession('empty');
  const item = dialog.getByRole('listitem').filter({ hasText: 'empty' });
  await expect(item.first()).toBeVisible();
  await item.first().getByRole('button', { name: 'Name and note' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Login, empty');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('tab', { name: 'Login, empty' })).toBeAttached();
  await expect(page).toHaveTitle('Login, empty - Roundtrip');
  await expect(item).toHaveCount(1);
  await item.first().getByRole('button', { name: 'Duplicate' }).click();
  await expect(item).toHaveCount(2);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `home-${scheme}.png`) });
    expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  }
});

test('old sessions are named, deleted on a second click, and listed; the open one and the recording stay', async () => {
  const { page, dialog } = await importedSession('monday');
  const items = dialog.locator('.session-item');
  await items.filter({ hasText: 'monday' }).first().getByRole('button', { name: 'Duplicate' }).click();
  await expect(items).toHaveCount(3);
  await dialog.getByText('Delete old sessions').click();
  const find = dialog.getByRole('button', { name: 'Find sessions' });
  await expect(find).toBeDisabled();
  await dialog.getByLabel('Keep at most (GB)').fill('0');
  await find.click();
  const question = dialog.getByRole('alert').filter({ hasText: 'Permanently delete' });
  await expect(question).toContainText('Permanently delete 1 session (');
  await expect(items).toHaveCount(3);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `pruning-${scheme}.png`) });
    expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([]);
  }
  await question.getByRole('button', { name: 'Delete file' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Deleted 1 session (' })).toContainText('monday copy');
  if (PICTURES) await page.screenshot({ path: path.join(PICTURES, 'pruned-dark.png') });
  await expect(items).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'monday' })).toBeAttached();
  await find.click();
  await expect(dialog.getByText('No session exceeds these limits.')).toBeVisible();
  await deletesAtEachStart(page, dialog);
});

/** Limits that leave nothing can't become a setting; others are saved, follow their fields, and are off without any. */
async function deletesAtEachStart(page: Page, dialog: Locator): Promise<void> {
  const lasting = dialog.getByLabel('Delete them each time Roundtrip starts');
  await expect(lasting).toBeDisabled();
  await dialog.getByLabel('Keep at most (GB)').fill('2');
  await lasting.click();
  await dialog.getByLabel('Not changed for (days)').fill('30');
  await dialog.getByLabel('Not changed for (days)').blur();
  await expect(dialog.getByText('at each start: older than 30 days, over 2.0 GB in total')).toBeVisible();
  if (PICTURES) await page.screenshot({ path: path.join(PICTURES, 'pruning-lasts-dark.png') });
  await page.reload();
  await windowReady(page);
  await page.keyboard.press('Control+o');
  await dialog.getByText('Delete old sessions').click();
  await expect(dialog.getByLabel('Keep at most (GB)')).toHaveValue('2');
  await lasting.click();
  await expect(dialog.getByText('at each start:')).toHaveCount(0);
}

/** A window that gets what its host says only while it is not held. */
async function slowWindow(): Promise<{ page: Page; hold: () => void; release: () => void }> {
  scene = await windowScene();
  const page = await scene.viewer.newPage();
  let late: (string | Buffer)[] | null = null;
  let tell: (message: string | Buffer) => void = () => undefined;
  await page.routeWebSocket(/inspector/, (socket) => {
    tell = (message) => socket.send(message);
    socket.connectToServer().onMessage((message) => (late === null ? tell(message) : void late.push(message)));
  });
  await page.goto(scene.host.ui);
  await windowReady(page);
  const release = () => {
    for (const message of late ?? []) tell(message);
    late = null;
  };
  const hold = () => {
    late = [];
  };
  return { page, hold, release };
}

test('a limit that is changed before the host has saved the choice is saved too', async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-home-'));
  const { page, hold, release } = await slowWindow();
  await page.keyboard.press('Control+o');
  const dialog = page.getByRole('dialog', { name: 'Sessions' });
  await dialog.getByText('Delete old sessions').click();
  await dialog.getByLabel('Keep at most (GB)').fill('2');
  hold();
  const lasting = dialog.getByLabel('Delete them each time Roundtrip starts');
  await lasting.click();
  await expect(lasting).toBeChecked();
  await dialog.getByLabel('Not changed for (days)').fill('30');
  await dialog.getByLabel('Not changed for (days)').blur();
  release();
  await expect(dialog.getByText('at each start: older than 30 days, over 2.0 GB in total')).toBeVisible();
});
