import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from '../../shared/contract/requests.ts';
import { KNOWN_BROWSERS, type KnownBrowser } from './browser-places.ts';
import { type Environment, findProgram } from './run-command.ts';

function placesOf(browser: KnownBrowser, env: Environment, platform: string): string[] {
  if (platform === 'darwin') {
    const roots = ['/Applications', path.join(env.HOME || os.homedir(), 'Applications')];
    return roots.flatMap((root) => browser.darwin.map((place) => path.posix.join(root, place)));
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return roots.flatMap((root) => browser.win32.map((place) => path.win32.join(root, place)));
  }
  return browser.linux.map((name) => findProgram(name, env)).filter((place) => place !== null);
}

/** CHROME_PATH, which other tools read too, comes first and stands for Chrome. */
function chosenByUser(env: Environment): Browser[] {
  const file = env.CHROME_PATH;
  return file && fs.existsSync(file) ? [{ id: 'chrome', name: 'Chrome (CHROME_PATH)', path: file }] : [];
}

/** The browsers of this machine that can be launched, one of each kind. */
export async function findBrowsers(
  env: Environment = process.env,
  platform: string = process.platform,
): Promise<Browser[]> {
  const chosen = chosenByUser(env);
  const found = KNOWN_BROWSERS.flatMap((browser) => {
    const place = placesOf(browser, env, platform).find((one) => fs.existsSync(one));
    return place === undefined ? [] : [{ id: browser.id, name: browser.name, path: place }];
  });
  return [...chosen, ...found.filter(({ id }) => !chosen.some((one) => one.id === id))];
}
