import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findChromium, UNPACKED_CHROMIUM } from '../../../support/chromium.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** On a machine that has these files only. */
function found(env: NodeJS.ProcessEnv, platform: string, ...files: string[]): string | null {
  return findChromium(env, platform, (file) => files.includes(file));
}

const CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const EDGE = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
const CACHED = path.join(UNPACKED_CHROMIUM, 'chromium');

describe('the browser for tests', () => {
  it.skipIf(process.platform === 'win32')('comes from the PATH on Linux, Chromium before Chrome', () => {
    const folder = temporaryFolder();
    const [chrome = '', chromium = ''] = ['google-chrome', 'chromium'].map((name) => path.join(folder, name));
    fs.writeFileSync(chrome, '#!/bin/sh\n', { mode: 0o755 });
    expect(findChromium({ PATH: folder }, 'linux', fs.existsSync)).toBe(chrome);
    fs.writeFileSync(chromium, '#!/bin/sh\n', { mode: 0o755 });
    expect(findChromium({ PATH: folder }, 'linux', fs.existsSync)).toBe(chromium);
  });

  it('comes from the Applications folder on macOS, and from Program Files on Windows', () => {
    expect(found({}, 'darwin', CHROME)).toBe(CHROME);
    expect(found({ 'PROGRAMFILES(X86)': 'C:\\Program Files (x86)' }, 'win32', EDGE)).toBe(EDGE);
  });

  it('is the one that CHROME_PATH names, if it exists', () => {
    expect(found({ CHROME_PATH: '/opt/mine' }, 'darwin', CHROME, '/opt/mine')).toBe('/opt/mine');
    expect(found({ CHROME_PATH: '/opt/mine' }, 'darwin', CHROME)).toBe(CHROME);
  });

  it("is Playwright's rather than the cached one if the system has none", () => {
    const playwrights = findChromium({ PATH: '' }, 'linux', (file) => file.includes('ms-playwright'));
    expect(playwrights).toContain('chromium-');
    expect(findChromium({ PATH: '' }, 'linux', (file) => file === CACHED)).toBe(CACHED);
    expect(found({ PATH: '' }, 'linux')).toBeNull();
  });
});
