import { describe, expect, it } from 'vitest';
import { toRestore } from '../../../../../electron/system/proxy/set/proxy-journal.ts';
import { proxyPlatform } from '../../../../../electron/system/proxy/set/proxy-platform.ts';
import type { ProxyPlatform } from '../../../../../electron/system/proxy/set/proxy-settings.ts';
import type { RunCommand } from '../../../../../electron/system/run-command.ts';

// Desktops that these tests don't run on: their tools' output as recorded, replayed by the command's words.

function replay(outputs: Record<string, string>): { run: RunCommand; ran: string[] } {
  const ran: string[] = [];
  const run: RunCommand = ([, ...parameters]) => {
    const line = parameters.join(' ');
    ran.push(line);
    const known = Object.entries(outputs).find(([words]) => line === words);
    const reads = line.startsWith('-get') || line.startsWith('-list') || line.startsWith('query');
    const status = known || !reads ? 0 : 1;
    return Promise.resolve({ status, stdout: known?.[1] ?? '', stderr: status === 0 ? '' : 'refused' });
  };
  return { run, ran };
}

function platformOf(name: string, run: RunCommand): ProxyPlatform {
  const platform = proxyPlatform({ env: { SystemRoot: 'C:\\Windows' }, run }, name);
  if (typeof platform === 'string') throw new Error(platform);
  return platform;
}

describe('macOS', () => {
  const off = 'Enabled: No\nServer: \nPort: 0\nAuthenticated Proxy Enabled: 0\n';
  const service = (
    name: string,
    web: string,
    auto = 'URL: (null)\nEnabled: No\n',
    bypass = "There aren't any bypass domains set on x.\n",
  ) => ({
    [`-getwebproxy ${name}`]: web,
    [`-getsecurewebproxy ${name}`]: off,
    [`-getsocksfirewallproxy ${name}`]: off,
    [`-getautoproxyurl ${name}`]: auto,
    [`-getproxyautodiscovery ${name}`]: 'Auto Proxy Discovery: On\n',
    [`-getproxybypassdomains ${name}`]: bypass,
  });
  const outputs = {
    '-listallnetworkservices':
      'An asterisk (*) denotes that a network service is disabled.\nWi-Fi\n*Thunderbolt Bridge\nUSB 10/100 LAN\n',
    ...service(
      'Wi-Fi',
      'Enabled: Yes\nServer: corp.test\nPort: 3128\nAuthenticated Proxy Enabled: 0\n',
      'URL: http://pac.test/p.pac\nEnabled: Yes\n',
      '*.local\n169.254/16\n',
    ),
    ...service('USB 10/100 LAN', off),
  };

  it('has a proxy for each active network service, read from networksetup', async () => {
    const settings = await platformOf('darwin', replay(outputs).run).read();
    expect(settings).toEqual({
      ...{ 'Wi-Fi|web': 'on corp.test 3128', 'Wi-Fi|secure': 'off  0', 'Wi-Fi|socks': 'off  0' },
      ...{ 'Wi-Fi|auto': 'on http://pac.test/p.pac', 'Wi-Fi|discovery': 'on', 'Wi-Fi|bypass': '*.local 169.254/16' },
      ...{ 'USB 10/100 LAN|web': 'off  0', 'USB 10/100 LAN|secure': 'off  0', 'USB 10/100 LAN|socks': 'off  0' },
      ...{ 'USB 10/100 LAN|auto': 'off ', 'USB 10/100 LAN|discovery': 'on', 'USB 10/100 LAN|bypass': '' },
    });
  });

  it('is set to ours in every service, and restored', async () => {
    const { run, ran } = replay(outputs);
    const platform = platformOf('darwin', run);
    const before = await platform.read();
    const ours = platform.towards(before, '127.0.0.1', 8866);
    ran.length = 0;
    await platform.write(ours);
    expect(ran).toEqual([
      '-setproxybypassdomains Wi-Fi Empty',
      '-setautoproxyurl Wi-Fi http://pac.test/p.pac',
      '-setautoproxystate Wi-Fi off',
      '-setproxyautodiscovery Wi-Fi off',
      '-setwebproxy Wi-Fi 127.0.0.1 8866',
      '-setwebproxystate Wi-Fi on',
      '-setsecurewebproxy Wi-Fi 127.0.0.1 8866',
      '-setsecurewebproxystate Wi-Fi on',
      '-setproxyautodiscovery USB 10/100 LAN off',
      '-setwebproxy USB 10/100 LAN 127.0.0.1 8866',
      '-setwebproxystate USB 10/100 LAN on',
      '-setsecurewebproxy USB 10/100 LAN 127.0.0.1 8866',
      '-setsecurewebproxystate USB 10/100 LAN on',
    ]);
    ran.length = 0;
    await platform.write(toRestore({ pid: 1, boot: 0, label: 'macOS', before, ours }, { ...before, ...ours }));
    expect(ran.filter((line) => line.includes('Wi-Fi'))).toEqual([
      '-setsecurewebproxy Wi-Fi  0',
      '-setsecurewebproxystate Wi-Fi off',
      '-setwebproxy Wi-Fi corp.test 3128',
      '-setwebproxystate Wi-Fi on',
      '-setproxyautodiscovery Wi-Fi on',
      '-setautoproxyurl Wi-Fi http://pac.test/p.pac',
      '-setautoproxystate Wi-Fi on',
      '-setproxybypassdomains Wi-Fi *.local 169.254/16',
    ]);
  });

  it('is not changed if a proxy has a password that could not be restored', async () => {
    const locked = {
      ...outputs,
      '-getwebproxy Wi-Fi': 'Enabled: Yes\nServer: a\nPort: 1\nAuthenticated Proxy Enabled: 1\n',
    };
    await expect(platformOf('darwin', replay(locked).run).read()).rejects.toThrow(/with a password/);
  });
});

describe('Windows', () => {
  const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
  const listing = [
    '',
    'HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings',
    '    User Agent    REG_SZ    Mozilla/4.0 (compatible; MSIE 8.0; Win32)',
    '    ProxyEnable    REG_DWORD    0x0',
    '    ProxyOverride    REG_SZ    *.corp.test;<local>',
    '    AutoConfigURL    REG_SZ    http://pac.test/p.pac',
    '',
    'HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Zones',
    '',
  ].join('\r\n');

  // Version 70, counter 3, detection and a PAC file on, no proxy, no exceptions, the PAC file, then 32 zeros.
  const pac = Buffer.from('http://pac.test/p.pac').toString('hex').toUpperCase();
  const zeros = '00'.repeat(32);
  const blob = `46000000030000000D000000000000000000000015000000${pac}${zeros}`;
  const text = (value: string) => Buffer.from([value.length, 0, 0, 0, ...Buffer.from(value)]).toString('hex');
  const ourBlob =
    `460000000400000003000000${text('127.0.0.1:8866')}${text('<-loopback>')}15000000${pac}${zeros}`.toUpperCase();
  const blobListing = `\r\nHKEY_CURRENT_USER\\x\r\n    DefaultConnectionSettings    REG_BINARY    ${blob}\r\n`;

  it('is read from the registry, set to ours, and restored, absent values included', async () => {
    const { run, ran } = replay({
      [`query ${key}`]: listing,
      [`query ${key}\\Connections /v DefaultConnectionSettings`]: blobListing,
    });
    const platform = platformOf('win32', run);
    const before = await platform.read();
    expect(platform.describe(before)).toBe('a PAC file: http://pac.test/p.pac');
    expect(before).toEqual({
      ...{ ProxyServer: '', ProxyOverride: 'REG_SZ *.corp.test;<local>' },
      DefaultConnectionSettings: `REG_BINARY ${blob}`,
      ...{ AutoConfigURL: 'REG_SZ http://pac.test/p.pac', ProxyEnable: 'REG_DWORD 0x0' },
    });
    const ours = platform.towards(before, '127.0.0.1', 8866);
    ran.length = 0;
    await platform.write(ours);
    const setBlob = (data: string) =>
      `add ${key}\\Connections /v DefaultConnectionSettings /t REG_BINARY /d ${data} /f`;
    const set = (name: string, type: string, data: string) => `add ${key} /v ${name} /t ${type} /d ${data} /f`;
    expect(ran.slice(0, -1)).toEqual([
      set('ProxyServer', 'REG_SZ', '127.0.0.1:8866'),
      set('ProxyOverride', 'REG_SZ', '<-loopback>'),
      `delete ${key} /v AutoConfigURL /f`,
      set('ProxyEnable', 'REG_DWORD', '0x1'),
      setBlob(ourBlob),
    ]);
    expect(ran.at(-1)).toContain('InternetSetOption');
    ran.length = 0;
    await platform.write(toRestore({ pid: 1, boot: 0, label: 'Windows', before, ours }, { ...before, ...ours }));
    expect(ran.slice(0, -1)).toEqual([
      setBlob(blob),
      set('ProxyEnable', 'REG_DWORD', '0x0'),
      set('AutoConfigURL', 'REG_SZ', 'http://pac.test/p.pac'),
      set('ProxyOverride', 'REG_SZ', '*.corp.test;<local>'),
      `delete ${key} /v ProxyServer /f`,
    ]);
  });
});
