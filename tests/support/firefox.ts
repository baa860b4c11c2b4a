import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { hasProgram } from './has-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Firefox, and NSS' certutil, by which its profile trusts a CA. */
export const HAS_FIREFOX = hasProgram('firefox-esr') && spawnSync('certutil', ['-H']).error === undefined;

type Preference = string | number | boolean;

/** Without the requests of Firefox itself. */
const QUIET: Record<string, Preference> = {
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'toolkit.startup.max_resumed_crashes': -1,
};

/** Opens a page in a new Firefox that trusts the CA, and ends it after the test. */
export function openInFirefox(url: string, caPath: string, preferences: Record<string, Preference> = {}): void {
  const profile = temporaryFolder();
  const lines = Object.entries({ ...QUIET, ...preferences }).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  fs.writeFileSync(path.join(profile, 'user.js'), lines.join('\n'));
  const database = ['-d', `sql:${profile}`];
  for (const args of [
    ['-N', '--empty-password'],
    ['-A', '-n', 'roundtrip', '-t', 'C,,', '-i', caPath],
  ]) {
    const { status, stderr } = spawnSync('certutil', [...args, ...database]);
    if (status !== 0) throw new Error(String(stderr));
  }
  const firefox = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, url], {
    env: { ...process.env, HOME: profile },
    stdio: 'ignore',
  });
  const ended = once(firefox, 'close');
  onTestFinished(async () => {
    firefox.kill('SIGKILL');
    await ended;
  });
}
