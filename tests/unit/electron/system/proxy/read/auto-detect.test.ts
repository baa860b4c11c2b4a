import { describe, expect, it } from 'vitest';
import { readAutoDetect } from '../../../../../../electron/system/proxy/read/auto-detect.ts';
import type { Command, RunCommand } from '../../../../../../electron/system/run-command.ts';

const printing =
  (stdout: string, asked: Command[] = []): RunCommand =>
  async (command) => {
    asked.push(command);
    return { status: 0, stdout, stderr: '' };
  };

const GNOME = "org.gnome.system.proxy autoconfig-url ''\norg.gnome.system.proxy mode 'auto'\n";
const KDE = '[Other]\nProxyType=1\n\n[Proxy Settings]\nNoProxyFor=\nProxyType=3\n\n[Last]\nx=1\n';
const MACOS = '<dictionary> {\n  HTTPEnable : 0\n  ProxyAutoDiscoveryEnable : 1\n}\n';
const WINDOWS =
  '\r\nHKEY_CURRENT_USER\\...\\Connections\r\n    DefaultConnectionSettings    REG_BINARY    ' +
  '460000000300000009000000000000000000000000000000\r\n\r\n';

describe('"detect automatically" is set', () => {
  it.each([
    ['linux', {}, GNOME, "'auto'", "'manual'", "GNOME's network settings"],
    ['linux', { XDG_CURRENT_DESKTOP: 'KDE' }, KDE, 'ProxyType=3', 'ProxyType=2', "KDE's network settings"],
    ['darwin', {}, MACOS, 'Enable : 1', 'Enable : 0', "macOS's network settings"],
    ['win32', {}, WINDOWS, '0300000009', '0300000001', "Windows' internet settings"],
  ] as const)('%s %j', async (platform, env, output, on, off, from) => {
    expect(await readAutoDetect(platform, env, printing(output))).toBe(from);
    expect(await readAutoDetect(platform, env, printing(output.replace(on, off)))).toBeNull();
    expect(await readAutoDetect(platform, env, printing(''))).toBeNull();
  });

  it('not if GNOME has a URL, or without a desktop', async () => {
    const url = GNOME.replace("autoconfig-url ''", "autoconfig-url 'http://a.test/a.pac'");
    expect(await readAutoDetect('linux', {}, printing(url))).toBeNull();
    const asked: Command[] = [];
    expect(await readAutoDetect('aix', {}, printing(GNOME, asked))).toBeNull();
    expect(asked).toEqual([]);
    expect(await readAutoDetect('linux', {}, async () => ({ status: null, stdout: GNOME, stderr: '' }))).toBeNull();
  });
});
