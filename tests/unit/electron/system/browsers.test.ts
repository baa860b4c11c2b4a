import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrowsers } from '../../../../electron/system/browsers.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

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
    expect(await findBrowsers({ PATH: folder }, 'linux')).toEqual([
      { id: 'chrome', name: 'Google Chrome', path: stable },
      { id: 'firefox', name: 'Firefox', path: firefox },
    ]);
  });

  it("takes CHROME_PATH for Chrome's, where it is there", async () => {
    const folder = temporaryFolder();
    const [own = '', chrome = ''] = ['own', 'google-chrome'].map((name) => path.join(folder, name));
    put(own, chrome);
    const found = await findBrowsers({ PATH: folder, CHROME_PATH: own }, 'linux');
    expect(found).toEqual([{ id: 'chrome', name: 'Chrome (CHROME_PATH)', path: own }]);
    const without = await findBrowsers({ PATH: folder, CHROME_PATH: '/nonexistent' }, 'linux');
    expect(without.map(({ path: place }) => place)).toEqual([chrome]);
  });

  it("finds those of a user's Applications on macOS", async () => {
    const home = temporaryFolder();
    const edge = path.join(home, 'Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge');
    put(edge);
    const found = await findBrowsers({ HOME: home }, 'darwin');
    expect(found).toContainEqual({ id: 'edge', name: 'Microsoft Edge', path: edge });
  });

  it('finds none where there are none', async () => {
    expect(await findBrowsers({ PATH: temporaryFolder() }, 'linux')).toEqual([]);
    expect(await findBrowsers({}, 'win32')).toEqual([]);
  });
});
