import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { overrulingPolicy, parseManagedPreferences } from '../../../../../electron/system/launch/browser-policies.ts';
import type { RunCommand } from '../../../../../electron/system/run-command.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function put(root: string, file: string, policies: unknown): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), JSON.stringify(policies));
}

/** A tool that knows these places, by the last word of its command. */
function replay(outputs: Record<string, string>): RunCommand {
  return (command) => {
    const stdout = outputs[command.at(-1) ?? ''];
    return Promise.resolve({ status: stdout === undefined ? 1 : 0, stdout: stdout ?? '', stderr: '' });
  };
}

describe('a policy that overrules a proxy setting', () => {
  it('is named with its file on Linux', async () => {
    const root = temporaryFolder();
    const of = (browser: string) => overrulingPolicy(browser, { platform: 'linux', root });
    put(root, 'etc/opt/chrome/policies/managed/a.json', { HomepageLocation: 'x' });
    expect(await of('chrome')).toBe('');
    put(root, 'etc/opt/chrome/policies/managed/b.json', { ProxyMode: 'direct' });
    expect(await of('chrome')).toMatch(/^The policy ProxyMode in .*b\.json overrides/);
    put(root, 'etc/firefox/policies/policies.json', { policies: { Proxy: { Mode: 'none' } } });
    expect(await of('firefox')).toMatch(/^The policy Proxy in /);
  });

  it('is none if there is none, or if its file cannot be read', async () => {
    const root = temporaryFolder();
    const of = (browser: string) => overrulingPolicy(browser, { platform: 'linux', root });
    expect(await of('edge')).toBe('');
    fs.mkdirSync(path.join(root, 'etc/opt/edge/policies/managed'), { recursive: true });
    fs.writeFileSync(path.join(root, 'etc/opt/edge/policies/managed/a.json'), '{');
    expect(await of('edge')).toBe('');
    expect(await of('by-hand')).toBe('');
  });

  it('is named with its key on Windows', async () => {
    const chrome = 'HKLM\\Software\\Policies\\Google\\Chrome';
    const listing = (values: string) => `\r\nHKEY_LOCAL_MACHINE\\Software\\Policies\\Google\\Chrome\r\n${values}\r\n`;
    const run = replay({
      [chrome]: listing('    HomepageLocation    REG_SZ    x\r\n    ProxySettings    REG_SZ    {"ProxyMode":"system"}'),
      'HKLM\\Software\\Policies\\Microsoft\\Edge': listing('    HomepageLocation    REG_SZ    x'),
      'HKCU\\Software\\Policies\\Mozilla\\Firefox\\Proxy': listing(
        '    Mode    REG_SZ    none\r\n    Locked    REG_DWORD    0x1',
      ),
    });
    const of = (browser: string) => overrulingPolicy(browser, { platform: 'win32', env: {}, run });
    expect(await of('chrome')).toBe(`The policy ProxySettings in ${chrome} overrides its proxy setting.`);
    expect(await of('edge')).toBe('');
    expect(await of('firefox')).toContain('The policy Proxy in HKCU');
  });

  it('is named with its managed preferences on macOS', async () => {
    const managed = '/Library/Managed Preferences';
    const run = replay({
      [`${managed}/com.google.Chrome`]:
        '{\n    HomepageLocation = "https://x";\n    ProxySettings =     {\n        ProxyMode = direct;\n    };\n}\n',
      [`${managed}/ada/com.brave.Browser`]: '{\n    ProxyMode = "pac_script";\n}\n',
      [`${managed}/com.microsoft.Edge`]: '{\n    Other =     {\n        ProxyMode = direct;\n    };\n}\n',
      [`${managed}/org.mozilla.firefox`]:
        '{\n    EnterprisePoliciesEnabled = 1;\n    Proxy =     {\n        Mode = none;\n    };\n}\n',
    });
    const of = (browser: string) => overrulingPolicy(browser, { platform: 'darwin', env: { USER: 'ada' }, run });
    expect(await of('chrome')).toContain(`The policy ProxySettings in ${managed}/com.google.Chrome overrides`);
    expect(await of('brave')).toContain(`The policy ProxyMode in ${managed}/ada/com.brave.Browser overrides`);
    expect(await of('edge')).toBe('');
    expect(await of('firefox')).toContain('The policy Proxy in ');
  });

  it('is read from the first level of preferences only', () => {
    expect(parseManagedPreferences('{\n    A = 1;\n    "b.c" =     {\n        D = 2;\n    };\n}\n')).toEqual([
      'A',
      'b.c',
    ]);
  });
});
