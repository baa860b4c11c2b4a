import fs from 'node:fs';
import path from 'node:path';

/** Where an administrator's policies for Chromium's kin lie on Linux; on macOS and Windows they are in profiles and the registry. */
const FOLDERS: Record<string, string> = {
  chrome: 'etc/opt/chrome/policies/managed',
  chromium: 'etc/chromium/policies/managed',
  edge: 'etc/opt/edge/policies/managed',
  brave: 'etc/brave/policies/managed',
};
const FIREFOX = 'etc/firefox/policies/policies.json';
const OVERRULING = ['ProxySettings', 'ProxyMode', 'ProxyServer', 'ProxyPacUrl'];

function read(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function files(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** What overrules a browser's proxy setting, a sentence or empty: a policy that names a proxy. `root`: where its folders begin. */
export function overrulingPolicy(browserId: string, root = '/'): string {
  if (browserId.startsWith('firefox')) {
    const file = path.join(root, FIREFOX);
    const policies = read(file).policies;
    const proxied = typeof policies === 'object' && policies !== null && 'Proxy' in policies;
    return proxied ? `The policy Proxy in ${file} overrules its proxy setting.` : '';
  }
  for (const file of files(path.join(root, FOLDERS[browserId] ?? 'nonexistent'))) {
    const name = OVERRULING.find((one) => one in read(file));
    if (name !== undefined) return `The policy ${name} in ${file} overrules its proxy setting.`;
  }
  return '';
}
