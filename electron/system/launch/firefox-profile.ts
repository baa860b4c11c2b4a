import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { certificateInfo } from '../../engine/ca/certificate-info.ts';
import { type Environment, runCommand } from '../run-command.ts';
import { CERTUTIL_PACKAGE, findCertutil, NssDatabase } from '../trust/nss-database.ts';
import type { LaunchOptions } from './launch-options.ts';

type Preference = string | number | boolean;

function preferences(proxyUrl: string): Record<string, Preference> {
  const { hostname, port } = new URL(proxyUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const number = Number(port || '80');
  return {
    'network.proxy.type': 1,
    'network.proxy.http': host,
    'network.proxy.http_port': number,
    'network.proxy.ssl': host,
    'network.proxy.ssl_port': number,
    'network.proxy.no_proxies_on': '',
    // Otherwise Firefox bypasses the proxy for loopback.
    'network.proxy.allow_hijacking_localhost': true,
    'network.http.http3.enable': false,
    // Only this profile's own trust counts.
    'security.enterprise_roots.enabled': false,
    // The browser's own requests would only clutter the recording.
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'app.update.enabled': false,
    'app.normandy.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.aboutwelcome.enabled': false,
    'browser.startup.homepage_override.mstone': 'ignore',
  };
}

/** Fills an empty profile. Throws an Error that says what is missing. */
export async function prepareFirefoxProfile(options: LaunchOptions, profile: string, env: Environment): Promise<void> {
  const lines = Object.entries(preferences(options.proxyUrl)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  fs.writeFileSync(path.join(profile, 'user.js'), lines.join(''));
  const certutil = findCertutil(env);
  if (certutil === null) throw new Error(`it can't be set up to trust Roundtrip: ${CERTUTIL_PACKAGE}`);
  const info = certificateInfo(new X509Certificate(fs.readFileSync(options.caPath)));
  const context = {
    ca: { certificatePath: options.caPath, info, former: [] },
    env,
    run: runCommand,
    platform: process.platform,
    isRoot: false,
    onTerminal: false,
  };
  await new NssDatabase(profile, context, certutil).install();
}

export function firefoxArguments({ url }: LaunchOptions, profile: string): string[] {
  return ['--new-instance', '--profile', profile, url ?? 'about:blank'];
}

/** Arguments that open a tab in the Firefox that runs with the profile. */
export function firefoxPage(url: string, profile: string): string[] {
  return ['--profile', profile, '--new-tab', url];
}

/** Files that appear in the profile once the browser uses it. */
export const FIREFOX_MARKS = ['lock', '.parentlock', 'parent.lock'];
