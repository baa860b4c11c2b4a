import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Command, type Environment, type RunCommand, runCommand } from '../run-command.ts';

/** The location of an administrator's policies for a browser, on each system. */
interface PolicyPlaces {
  /** Linux: a folder of JSON files; Firefox has one file. */
  files: string;
  /**
   * Windows: a key below HKLM and HKCU's Software\\Policies (Chromium, "Windows Quick Start";
   * mozilla/policy-templates).
   */
  registry: string;
  /** macOS: the domain of its managed preferences. */
  domain: string;
}

const PLACES: Readonly<Record<string, PolicyPlaces>> = {
  chrome: { files: 'etc/opt/chrome/policies/managed', registry: 'Google\\Chrome', domain: 'com.google.Chrome' },
  chromium: { files: 'etc/chromium/policies/managed', registry: 'Chromium', domain: 'org.chromium.Chromium' },
  edge: { files: 'etc/opt/edge/policies/managed', registry: 'Microsoft\\Edge', domain: 'com.microsoft.Edge' },
  brave: { files: 'etc/brave/policies/managed', registry: 'BraveSoftware\\Brave', domain: 'com.brave.Browser' },
  vivaldi: { files: 'etc/opt/vivaldi/policies/managed', registry: 'Vivaldi', domain: 'com.vivaldi.Vivaldi' },
  firefox: {
    files: 'etc/firefox/policies/policies.json',
    registry: 'Mozilla\\Firefox\\Proxy',
    domain: 'org.mozilla.firefox',
  },
};

const CHROMIUM = ['ProxySettings', 'ProxyMode', 'ProxyServer', 'ProxyPacUrl'];
/** Firefox has all proxy settings in one policy. */
const FIREFOX = ['Proxy'];

const COMMANDS = {
  registry: (hive: string, key: string, { SystemRoot, SYSTEMROOT }: Environment): Command => [
    `${SystemRoot ?? SYSTEMROOT ?? 'C:\\Windows'}\\System32\\reg.exe`,
    ...['query', `${hive}\\Software\\Policies\\${key}`],
  ],
  /** defaults(1): a file by its path, without its extension. */
  managed: (place: string): Command => ['/usr/bin/defaults', 'read', place],
};

interface PolicyContext {
  env: Environment;
  platform: string;
  run: RunCommand;
  /** Root of Linux's folders. */
  root: string;
}

function read(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** The names of the policies in one place. */
interface Policies {
  place: string;
  names: readonly string[];
}

function fromFiles(isFirefox: boolean, { files }: PolicyPlaces, root: string): Policies[] {
  const place = path.join(root, files);
  if (!isFirefox) return filesIn(place).map((file) => ({ place: file, names: Object.keys(read(file)) }));
  const { policies } = read(place);
  return typeof policies === 'object' && policies !== null ? [{ place, names: Object.keys(policies) }] : [];
}

/** Parses `    ProxyMode    REG_SZ    direct` lines. In Firefox's key, every value concerns the proxy. */
function parsePolicyKey(output: string): string[] {
  return [...output.matchAll(/^ {4}(\S+) {4}REG_\w+/gm)].map(([, name = '']) => name);
}

async function fromRegistry(
  isFirefox: boolean,
  { registry }: PolicyPlaces,
  context: PolicyContext,
): Promise<Policies[]> {
  const hives = ['HKLM', 'HKCU'].map(async (hive) => {
    const { stdout } = await context.run(COMMANDS.registry(hive, registry, context.env), context.env);
    const names = parsePolicyKey(stdout);
    const place = `${hive}\\Software\\Policies\\${registry}`;
    return { place, names: isFirefox && names.length > 0 ? FIREFOX : names };
  });
  return await Promise.all(hives);
}

/** `    ProxyMode = direct;` lines of `defaults read`; deeper ones are indented further. */
export function parseManagedPreferences(output: string): string[] {
  return [...output.matchAll(/^ {4}"?([\w.]+)"? = /gm)].map(([, name = '']) => name);
}

async function fromPreferences({ domain }: PolicyPlaces, { run, env }: PolicyContext): Promise<Policies[]> {
  const user = env.USER || os.userInfo().username;
  const places = [domain, `${user}/${domain}`].map((place) => `/Library/Managed Preferences/${place}`);
  const read = places.map(async (place) => ({
    place,
    names: parseManagedPreferences((await run(COMMANDS.managed(place), env)).stdout),
  }));
  return await Promise.all(read);
}

/**
 * Describes the policy that overrides a browser's proxy setting in a sentence; empty if there is none. `browser`: the
 * id without its packaging. Never rejects.
 */
export async function overrulingPolicy(browser: string, of: Partial<PolicyContext> = {}): Promise<string> {
  const { env = process.env, platform = process.platform, run = runCommand, root = '/' } = of;
  const places = PLACES[browser];
  if (places === undefined) return '';
  const isFirefox = browser === 'firefox';
  const context = { env, platform, run, root };
  const found =
    platform === 'win32'
      ? await fromRegistry(isFirefox, places, context)
      : platform === 'darwin'
        ? await fromPreferences(places, context)
        : fromFiles(isFirefox, places, root);
  for (const { place, names } of found) {
    const name = (isFirefox ? FIREFOX : CHROMIUM).find((one) => names.includes(one));
    if (name !== undefined) return `The policy ${name} in ${place} overrides its proxy setting.`;
  }
  return '';
}
