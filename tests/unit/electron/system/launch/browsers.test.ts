import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { familyOf } from '../../../../../electron/system/launch/browser-places.ts';
import { findBrowsers } from '../../../../../electron/system/launch/browsers.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Programs that do nothing, at these places. */
function put(...files: string[]): void {
  for (const file of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  }
}

describe('findBrowsers', () => {
  it('finds those of PATH on Linux, one of each kind', async () => {
    const folder = temporaryFolder();
    const [chrome = '', stable = '', firefox = ''] = ['google-chrome', 'google-chrome-stable', 'firefox-esr'].map(
      (name) => path.join(folder, name),
    );
    put(chrome, stable, firefox);
    expect(await findBrowsers({ PATH: folder }, 'linux', folder)).toEqual([
      { id: 'chrome', name: 'Google Chrome', path: stable, command: [stable], profiles: null },
      { id: 'firefox', name: 'Firefox', path: firefox, command: [firefox], profiles: null },
    ]);
  });

  it('uses CHROME_PATH as Chrome, if it exists', async () => {
    const folder = temporaryFolder();
    const [own = '', chrome = ''] = ['own', 'google-chrome'].map((name) => path.join(folder, name));
    put(own, chrome);
    const found = await findBrowsers({ PATH: folder, CHROME_PATH: own }, 'linux', folder);
    expect(found).toMatchObject([{ id: 'chrome', name: 'Chrome (CHROME_PATH)', path: own }]);
    const without = await findBrowsers({ PATH: folder, CHROME_PATH: '/nonexistent' }, 'linux', folder);
    expect(without.map(({ path: place }) => place)).toEqual([chrome]);
  });

  it("finds those of a user's Applications on macOS", async () => {
    const home = temporaryFolder();
    const edge = path.join(home, 'Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge');
    put(edge);
    const found = await findBrowsers({ HOME: home }, 'darwin');
    expect(found).toContainEqual(expect.objectContaining({ id: 'edge', name: 'Microsoft Edge', path: edge }));
  });

  it('finds snaps and flatpaks, with the folders that they see', async () => {
    const root = temporaryFolder();
    const home = path.join(root, 'home');
    put(path.join(root, 'snap/bin/firefox'), path.join(root, 'bin/flatpak'));
    put(path.join(home, '.local/share/flatpak/exports/bin/com.google.Chrome'));
    const found = await findBrowsers({ PATH: path.join(root, 'bin'), HOME: home }, 'linux', root);
    expect(found).toEqual([
      {
        ...{ id: 'chrome-flatpak', name: 'Google Chrome (flatpak)' },
        path: path.join(home, '.local/share/flatpak/exports/bin/com.google.Chrome'),
        command: [path.join(root, 'bin/flatpak'), 'run', '--die-with-parent', 'com.google.Chrome'],
        profiles: path.join(home, '.var/app/com.google.Chrome/roundtrip'),
      },
      {
        ...{ id: 'firefox-snap', name: 'Firefox (snap)', path: path.join(root, 'snap/bin/firefox') },
        command: [path.join(root, 'snap/bin/firefox')],
        profiles: path.join(home, 'snap/firefox/common/roundtrip'),
      },
    ]);
    expect(found.map(({ id }) => familyOf(id))).toEqual(['chromium', 'firefox']);
  });

  it("does not take a command that only starts the snap for the distribution's own", async () => {
    const root = temporaryFolder();
    put(path.join(root, 'snap/bin/firefox'));
    fs.writeFileSync(path.join(root, 'firefox'), '#!/bin/sh\nexec /snap/bin/firefox "$@"\n', { mode: 0o755 });
    const found = await findBrowsers({ PATH: root, HOME: root }, 'linux', root);
    expect(found.map(({ id }) => id)).toEqual(['firefox-snap']);
  });

  it('finds none if there are none', async () => {
    expect(await findBrowsers({ PATH: temporaryFolder() }, 'linux', temporaryFolder())).toEqual([]);
    expect(await findBrowsers({}, 'win32')).toEqual([]);
  });
});
