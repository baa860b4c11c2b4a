import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { proxyPlatform } from '../../../../../../electron/system/proxy/set/proxy-platform.ts';
import type { RunCommand } from '../../../../../../electron/system/run-command.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

// The arguments of Plasma's tools; tests/integration/system-proxy/kde.test.ts runs them.

function plasma(...tools: string[]) {
  const home = temporaryFolder();
  for (const name of tools) fs.writeFileSync(path.join(home, name), '#!/bin/sh\n', { mode: 0o755 });
  const ran: string[] = [];
  const run: RunCommand = ([program, ...parameters]) => {
    ran.push([path.basename(program), ...parameters].join(' '));
    return Promise.resolve({ status: 0, stdout: '', stderr: '' });
  };
  const env = { PATH: home, XDG_CONFIG_HOME: home, XDG_CURRENT_DESKTOP: 'KDE' };
  return { platform: proxyPlatform({ env, run }, 'linux'), ran };
}

describe('KDE', () => {
  it('is written by the newest tool, the type last, and its programs are notified', async () => {
    const { platform, ran } = plasma('kwriteconfig5', 'kwriteconfig6');
    if (typeof platform === 'string') throw new Error(platform);
    const before = await platform.read();
    expect(platform.describe(before)).toBe('none');
    await platform.write(platform.towards({ ...before, socksProxy: '=socks://a 1080' }, '127.0.0.1', 8866));
    const key = 'kwriteconfig6 --file kioslaverc --group Proxy Settings --key';
    expect(ran).toEqual([
      `${key} httpProxy http://127.0.0.1 8866`,
      `${key} httpsProxy http://127.0.0.1 8866`,
      `${key} socksProxy --delete `,
      `${key} ProxyType 1`,
      'dbus-send --session --type=signal /KIO/Scheduler org.kde.KIO.Scheduler.reparseSlaveConfiguration string:',
    ]);
  });

  it('cannot be set without the tool, which is named', () => {
    expect(plasma().platform).toMatch(/kwriteconfig is missing: install libkf6config-bin/);
  });

  it.each([
    ['=1', '=http://proxy.test 3128', 'proxy.test:3128'],
    ['=2', '', 'a PAC file'],
    ['=3', '', 'a PAC file found by WPAD'],
    ['=4', '=http_proxy', "the environment's"],
    ['=0', '=http://proxy.test 3128', 'none'],
  ])('says what type %s means', (ProxyType, httpProxy, said) => {
    const { platform } = plasma('kwriteconfig6');
    if (typeof platform === 'string') throw new Error(platform);
    expect(platform.describe({ ProxyType, httpProxy })).toBe(said);
  });
});
