import fs from 'node:fs';

/** Debian's, or the one that CHROME_PATH names; null: browser tests are skipped by name. */
export function chromiumPath(): string | null {
  const places = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/microsoft-edge'];
  return places.find((place) => place !== undefined && fs.existsSync(place)) ?? null;
}

/** Quiet, and fit for root and for a machine without a network. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
