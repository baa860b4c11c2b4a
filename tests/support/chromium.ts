import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { KNOWN_BROWSERS } from '../../electron/system/launch/browser-places.ts';
import { placesOf } from '../../electron/system/launch/browsers.ts';
import { CACHE } from './cached-packages.ts';

/** In this order. */
const BROWSERS = ['chromium', 'chrome', 'edge'];

/** The folder that holds what @sparticuz/chromium unpacks. */
export const UNPACKED_CHROMIUM = path.join(CACHE, 'chromium');

/** Playwright's own browser, where `playwright install chromium` would put it; null on systems that it has none for. */
function playwrightsOwn(): string | null {
  try {
    return chromium.executablePath();
  } catch {
    return null;
  }
}

/**
 * A browser to test with: the one that CHROME_PATH names, Chromium, Chrome or Edge of the system, Playwright's own, or
 * what `install-chromium.ts` put into the cache. Null: browser tests are skipped by name.
 */
export function findChromium(
  env: NodeJS.ProcessEnv,
  platform: string,
  exists: (file: string) => boolean,
): string | null {
  const known = BROWSERS.flatMap((id) => KNOWN_BROWSERS.filter((browser) => browser.id === id));
  const systems = known.flatMap((browser) => placesOf(browser, env, platform));
  const places = [env.CHROME_PATH, ...systems, playwrightsOwn(), path.join(UNPACKED_CHROMIUM, 'chromium')];
  return places.find((place) => place && exists(place)) ?? null;
}

export function chromiumPath(): string | null {
  return findChromium(process.env, process.platform, fs.existsSync);
}

/** Why browser tests are skipped. */
export const NO_CHROMIUM = 'no Chrome, Chromium or Edge on this machine (CHROME_PATH names one)';

/**
 * With the first two, Chromium loads 400 scripts of the address bar's suggestions for each window, headless ones too,
 * beside the page under test. Playwright turns the others off: Chromium takes only the last switch of this name.
 */
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

/** Quiet, and suitable for root and for a machine without a network. */
export const CHROMIUM_FLAGS = [
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
