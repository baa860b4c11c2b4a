import { describe, expect, it } from 'vitest';
import { environmentProxy } from '../../../../../electron/system/proxy/read/environment-proxy.ts';
import { gnomeProxy } from '../../../../../electron/system/proxy/read/gnome-proxy.ts';
import { kdeProxy } from '../../../../../electron/system/proxy/read/kde-proxy.ts';
import { macosProxy } from '../../../../../electron/system/proxy/read/macos-proxy.ts';
import { readSystemProxy } from '../../../../../electron/system/proxy/read/read-system-proxy.ts';
import { windowsProxy } from '../../../../../electron/system/proxy/read/windows-proxy.ts';
import { winhttpProxy } from '../../../../../electron/system/proxy/read/winhttp-proxy.ts';

const NOTHING = { http: null, https: null, other: null, bypass: [], pac: null };

// As the tools print it; the values are changed.
const GNOME = `org.gnome.system.proxy autoconfig-url ''
org.gnome.system.proxy ignore-hosts ['localhost', '127.0.0.0/8', '::1', '*.corp.test']
org.gnome.system.proxy mode 'manual'
org.gnome.system.proxy use-same-proxy true
org.gnome.system.proxy.ftp host ''
org.gnome.system.proxy.ftp port 0
org.gnome.system.proxy.http authentication-password ''
org.gnome.system.proxy.http authentication-user ''
org.gnome.system.proxy.http enabled false
org.gnome.system.proxy.http host 'proxy.corp.test'
org.gnome.system.proxy.http port 3128
org.gnome.system.proxy.http use-authentication false
org.gnome.system.proxy.https host 'proxy.corp.test'
org.gnome.system.proxy.https port 3129
org.gnome.system.proxy.socks host ''
org.gnome.system.proxy.socks port 0
`;

const KDE = `[$Version]
update_info=kioslave.upd:kde2.2/r1

[Proxy Settings][Invitation]
x=1

[Proxy Settings]
NoProxyFor=localhost,.corp.test
Proxy Config Script=http://wpad.corp.test/proxy.pac
ProxyType=1
ReversedException=false
httpProxy=http://proxy.corp.test 3128
httpsProxy=http://proxy.corp.test:3129/
socksProxy=socks://socks.corp.test 1080
`;

const MACOS = `<dictionary> {
  ExceptionsList : <array> {
    0 : *.local
    1 : 169.254/16
    2 : intranet.corp.test
  }
  ExcludeSimpleHostnames : 1
  FTPPassive : 1
  HTTPEnable : 1
  HTTPPort : 8080
  HTTPProxy : proxy.corp.test
  HTTPSEnable : 1
  HTTPSPort : 8443
  HTTPSProxy : proxy.corp.test
  ProxyAutoConfigEnable : 0
  SOCKSEnable : 0
}
`;

const WINDOWS = `
HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings
    User Agent    REG_SZ    Mozilla/4.0 (compatible; MSIE 8.0; Win32)
    IE5_UA_Backup_Flag    REG_SZ    5.0
    ZonesSecurityUpgrade    REG_BINARY    ABCDEF
    ProxyEnable    REG_DWORD    0x1
    ProxyServer    REG_SZ    http=proxy.corp.test:8080;https=proxy.corp.test:8443;socks=socks.corp.test:1080
    ProxyOverride    REG_SZ    *.corp.test;intranet;<local>

HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\5.0
`;

/** As `reg query` prints it; each text follows its length. */
const winhttp = (version: string, flags: number, ...texts: string[]): string => {
  const number = (value: number): string => value.toString(16).padStart(2, '0').padEnd(8, '0').toUpperCase();
  const parts = texts.map((text) => number(text.length) + Buffer.from(text).toString('hex').toUpperCase());
  const key = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Connections';
  return (
    `\r\n${key}\r\n    WinHttpSettings    REG_BINARY    ` +
    `${version}00000000000000${number(flags)}${parts.join('')}\r\n\r\n`
  );
};

describe("the system's proxy", () => {
  it('of the environment, as curl reads it', () => {
    expect(environmentProxy({ HTTP_PROXY: 'http://upper:1' })).toBeNull();
    const env = {
      http_proxy: 'http://a:1',
      HTTPS_PROXY: 'http://b:2',
      https_proxy: 'http://c:3',
      NO_PROXY: 'x.test, .y.test',
    };
    expect(environmentProxy(env)).toMatchObject({
      http: 'http://a:1',
      https: 'http://c:3',
      other: null,
      bypass: ['x.test', '.y.test'],
    });
    expect(environmentProxy({ ALL_PROXY: 'socks5h://d:4' })).toMatchObject({ http: null, other: 'socks5h://d:4' });
  });

  it('of GNOME', () => {
    const bypass = ['localhost', '127.0.0.0/8', '::1', '*.corp.test'];
    const from = "GNOME's network settings";
    const manual = {
      ...NOTHING,
      from,
      bypass,
      http: 'http://proxy.corp.test:3128',
      https: 'http://proxy.corp.test:3129',
    };
    expect(gnomeProxy(GNOME)).toEqual(manual);
    const auto = GNOME.replace("'manual'", "'auto'");
    expect(gnomeProxy(auto)).toBeNull();
    const url = "autoconfig-url 'http://wpad.corp.test/proxy.pac'";
    expect(gnomeProxy(auto.replace("autoconfig-url ''", url))).toEqual({
      ...NOTHING,
      from,
      bypass,
      pac: 'http://wpad.corp.test/proxy.pac',
    });
    expect(gnomeProxy(GNOME.replace("'manual'", "'none'"))).toBeNull();
  });

  it('of KDE', () => {
    const from = "KDE's network settings";
    const bypass = ['localhost', '.corp.test'];
    const proxies = { http: 'http://proxy.corp.test:3128', https: 'http://proxy.corp.test:3129' };
    expect(kdeProxy(KDE)).toEqual({ from, bypass, ...proxies, other: 'socks5h://socks.corp.test:1080', pac: null });
    const pac = 'http://wpad.corp.test/proxy.pac';
    expect(kdeProxy(KDE.replace('ProxyType=1', 'ProxyType=2'))).toEqual({ ...NOTHING, from, bypass, pac });
    for (const type of ['0', '3', '4']) expect(kdeProxy(KDE.replace('ProxyType=1', `ProxyType=${type}`))).toBeNull();
  });

  it('of macOS', () => {
    expect(macosProxy(MACOS)).toEqual({
      ...NOTHING,
      from: "macOS's network settings",
      http: 'http://proxy.corp.test:8080',
      https: 'http://proxy.corp.test:8443',
      bypass: ['*.local', '169.254/16', '=intranet.corp.test', '<local>'],
    });
    const auto = MACOS.replace(
      'ProxyAutoConfigEnable : 0',
      'ProxyAutoConfigEnable : 1\n  ProxyAutoConfigURLString : http://a.test/p.pac',
    );
    expect(macosProxy(auto)?.pac).toBe('http://a.test/p.pac');
    expect(macosProxy('<dictionary> {\n  FTPPassive : 1\n}\n')).toBeNull();
  });

  it('of Windows', () => {
    expect(windowsProxy(WINDOWS)).toEqual({
      ...NOTHING,
      from: "Windows' internet settings",
      http: 'http://proxy.corp.test:8080',
      https: 'http://proxy.corp.test:8443',
      other: 'socks4a://socks.corp.test:1080',
      bypass: ['*.corp.test', '=intranet', '<local>'],
    });
    const plain = WINDOWS.replace(/REG_SZ {4}http=.*/, 'REG_SZ    proxy.corp.test:8080');
    expect(windowsProxy(plain)).toMatchObject({
      http: 'http://proxy.corp.test:8080',
      https: 'http://proxy.corp.test:8080',
    });
    expect(windowsProxy(WINDOWS.replace('0x1', '0x0'))).toBeNull();
    const pac = '    AutoConfigURL    REG_SZ    http://a.test/p.pac\n';
    expect(windowsProxy(WINDOWS.replace('0x1\n', `0x0\n${pac}`))?.pac).toBe('http://a.test/p.pac');
  });

  it("of Windows' services (WinHTTP), in any language of netsh", () => {
    const from = "Windows' settings for services (WinHTTP)";
    // Direct access, as Microsoft writes it
    // (troubleshoot/windows-client/group-policy/use-group-policy-apply-winhttp-proxy-settings).
    const direct = '    WinHttpSettings    REG_BINARY    1800000000000000010000000000000000000000\r\n';
    expect(winhttpProxy(direct)).toBeNull();
    expect(winhttpProxy(winhttp('18', 3, 'proxy.contoso.com:8080', 'localhost;*.contoso.com'))).toEqual({
      ...NOTHING,
      from,
      http: 'http://proxy.contoso.com:8080',
      https: 'http://proxy.contoso.com:8080',
      bypass: ['=localhost', '*.contoso.com'],
    });
    // Windows 11, `netsh winhttp set advproxy`.
    const url = 'http://192.168.5.45/proxy.pac';
    expect(winhttpProxy(winhttp('28', 7, 'http=192.168.5.45:3128', '<local>', url))).toEqual({
      ...NOTHING,
      from,
      http: 'http://192.168.5.45:3128',
      bypass: ['<local>'],
      pac: url,
    });
    expect(winhttpProxy(winhttp('28', 1, 'http=192.168.5.45:3128', '<local>', url))).toBeNull();
    for (const cut of ['', '18', '180000000000000003000000FF00000041'])
      expect(winhttpProxy(`    WinHttpSettings    REG_BINARY    ${cut}\r\n`)?.pac ?? null).toBeNull();
  });

  it("of Windows: the user's settings before those for services", async () => {
    const outputs = { HKCU: WINDOWS.replace('0x1', '0x0'), HKLM: winhttp('18', 3, 'services.test:80', '') };
    const run = async ([, , key = '']: readonly [string, ...string[]]) => ({
      status: 0,
      stdout: key.startsWith('HKCU') ? outputs.HKCU : outputs.HKLM,
      stderr: '',
    });
    expect((await readSystemProxy('win32', {}, run))?.http).toBe('http://services.test:80');
    outputs.HKCU = WINDOWS;
    expect((await readSystemProxy('win32', {}, run))?.http).toBe('http://proxy.corp.test:8080');
  });

  it('asks the environment before the desktop, and asks only the running desktop', async () => {
    const asked: string[] = [];
    const run = async ([program]: readonly [string, ...string[]]) => {
      asked.push(program);
      return program === 'gsettings'
        ? { status: 0, stdout: GNOME, stderr: '' }
        : { status: null, stdout: '', stderr: '' };
    };
    expect((await readSystemProxy('linux', { ALL_PROXY: 'http://e:1' }, run))?.other).toBe('http://e:1');
    expect((await readSystemProxy('linux', {}, run))?.http).toBe('http://proxy.corp.test:3128');
    expect(await readSystemProxy('linux', { XDG_CURRENT_DESKTOP: 'KDE', HOME: '/h' }, run)).toBeNull();
    expect(await readSystemProxy('win32', {}, run)).toBeNull();
    expect(await readSystemProxy('aix', {}, run)).toBeNull();
    const reg = expect.stringMatching(/^\w:\\.+\\System32\\reg\.exe$/i);
    expect(asked).toEqual(['gsettings', 'cat', reg, reg]);
  });
});
