import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { DesktopStarter } from '../support/desktop-app.ts';
import { CAN_RUN_DESKTOP } from '../support/desktop-bundles.ts';
import { type XDisplay, xDisplay } from '../support/x-display.ts';

function harWith(entries: unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });
}

test.describe('files in the desktop app', () => {
  test.skip(!CAN_RUN_DESKTOP, 'no Electron binary that runs here, or no Xvfb to show its window on');
  test.describe.configure({ timeout: 300_000 });

  let folder: string;
  let display: XDisplay;
  let app: ElectronApplication;
  let window: Page;
  let starter: DesktopStarter;

  test.beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-files-'));
    display = await xDisplay();
    starter = new DesktopStarter(folder, display);
    ({ app, window } = await starter.start());
  });

  test.afterAll(async () => {
    await app?.close();
    display?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A HAR without exchanges, at its own path. */
  function file(name: string, entries: unknown[] = []): string {
    const har = path.join(folder, `${name}.har`);
    fs.writeFileSync(har, harWith(entries));
    return har;
  }

  /** Drops a real file: a page can't create one with a path, but a file input can. */
  async function drop(...files: string[]): Promise<void> {
    await window.evaluate(() => {
      const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'dropped' });
      document.body.append(input);
    });
    await window.locator('#dropped').setInputFiles(files);
    await window.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#dropped');
      const dataTransfer = new DataTransfer();
      for (const file of input?.files ?? []) dataTransfer.items.add(file);
      input?.remove();
      for (const name of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    });
  }

  function clickMenu(id: string): Promise<void> {
    return app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click({}), id);
  }

  test('opens what its user chooses in Open…, and lists it in Open Recent', async () => {
    const chosen = file('chosen');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
    }, chosen);
    await clickMenu('open');
    await expect(window.getByRole('tab', { name: 'chosen' })).toBeVisible();
    // The first of them: a launch that hung and was repeated has left a session too.
    const newest = () =>
      app.evaluate(
        ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('open-recent')?.submenu?.items[0]?.label ?? '',
      );
    await expect.poll(newest).toMatch(/^chosen\.roundtrip - /);
    await window.getByRole('button', { name: 'Close chosen' }).click();
    await expect(window.getByRole('tab', { name: 'chosen' })).toBeHidden();
    await app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.getMenuItemById('open-recent')?.submenu?.items[0]?.click({}),
    );
    await expect(window.getByRole('tab', { name: 'chosen' })).toBeVisible();
  });

  test('opens dropped files, and lists those that it skipped', async () => {
    await drop(file('dropped-one'), file('dropped-two'));
    await expect(window.getByRole('tab', { name: 'dropped-one' })).toBeVisible();
    await expect(window.getByRole('tab', { name: 'dropped-two' })).toBeVisible();
    const dialog = window.getByRole('dialog', { name: 'Sessions' });
    await expect(dialog).toBeHidden();
    await drop(file('faulty', ['no entry']));
    await expect(dialog.getByText('1 part was not imported')).toBeVisible();
  });

  test('shows a session in its folder', async () => {
    await app.evaluate(({ shell }) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      shell.showItemInFolder = (item) => shown.push(item);
    });
    const dialog = window.getByRole('dialog', { name: 'Sessions' });
    const item = dialog.getByRole('listitem').filter({ hasText: 'chosen' });
    await item.getByRole('button', { name: 'Show in folder' }).click();
    const shown = () => app.evaluate(() => (globalThis as { shown?: string[] }).shown);
    await expect.poll(shown).toEqual([expect.stringMatching(/sessions\/chosen\.roundtrip$/)]);
    await window.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('opens the file of a second launch in the first', async () => {
    // As desktops pass it.
    const url = pathToFileURL(file('second launch')).href;
    const second = spawn(starter.executable, [...starter.args, url], {
      env: starter.env,
      stdio: 'ignore',
    });
    expect(await once(second, 'exit')).toEqual([0, null]);
    await expect(window.getByRole('tab', { name: 'second launch' })).toBeVisible();
  });

  test('opens the file that macOS hands over', async () => {
    await app.evaluate(
      ({ app: handed }, har) => handed.emit('open-file', { preventDefault: () => undefined }, har),
      file('handed'),
    );
    await expect(window.getByRole('tab', { name: 'handed' })).toBeVisible();
  });

  test('reports that this build has no updates and no command line', async () => {
    await app.evaluate(({ dialog }) => {
      const boxes: string[] = [];
      Object.assign(globalThis, { boxes });
      dialog.showMessageBox = async (...given: unknown[]) => {
        boxes.push(JSON.stringify(given));
        return { response: 0, checkboxChecked: false };
      };
    });
    await clickMenu('check-for-updates');
    await clickMenu('install-command-line');
    const boxes = () => app.evaluate(() => (globalThis as { boxes?: string[] }).boxes);
    await expect
      .poll(boxes)
      .toEqual([expect.stringContaining('update.no-feed'), expect.stringContaining('command-line.not-installed')]);
  });
});
