import { describe, expect, it } from 'vitest';
import { ipconfigPac, nmcliPac } from '../../../../../electron/system/proxy/wpad/dhcp-pac.ts';
import { resolvConfDomains, scutilDns, windowsDomains } from '../../../../../electron/system/proxy/wpad/dns-domains.ts';
import { readWpadPlaces } from '../../../../../electron/system/proxy/wpad/read-wpad-places.ts';
import { wpadUrls } from '../../../../../electron/system/proxy/wpad/wpad-names.ts';
import type { Command, RunCommand } from '../../../../../electron/system/run-command.ts';
import { REG } from '../../../../../electron/system/windows-tools.ts';

// As the tools print it; the values are changed.
const NMCLI = `DHCP4.OPTION[1]:                        dhcp_lease_time = 7200
DHCP4.OPTION[2]:                        domain_name = corp.example
DHCP4.OPTION[3]:                        requested_wpad = 1
DHCP4.OPTION[4]:                        routers = 192.168.1.1
DHCP4.OPTION[5]:                        wpad = http://pac.corp.example/proxy.pac\\000
`;

const SCUTIL = `DNS configuration

resolver #1
  search domain[0] : eng.corp.example
  search domain[1] : corp.example
  nameserver[0] : 10.0.0.53
  if_index : 14 (en0)
  flags    : Request A records
  reach    : 0x00020002 (Reachable,Directly Reachable Address)

resolver #2
  domain   : local
  options  : mdns
  timeout  : 5

DNS configuration (for scoped queries)

resolver #1
  search domain[0] : scoped.example
  nameserver[0] : 10.0.0.53
  if_index : 14 (en0)
`;

const WINDOWS = `\r
HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\r
    DataBasePath    REG_EXPAND_SZ    %SystemRoot%\\System32\\drivers\\etc\r
    Domain    REG_SZ    ad.corp.example\r
    ForwardBroadcasts    REG_DWORD    0x0\r
    ICSDomain    REG_SZ    mshome.net\r
    NameServer    REG_SZ    \r
    DhcpNameServer    REG_SZ    10.0.0.53\r
    DhcpDomain    REG_SZ    corp.example\r
    NV Domain    REG_SZ    nv.example\r
\r
HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters\\Adapters\r
`;

/** Programs by their first word; one that is not there could not be started. */
function machine(outputs: Record<string, string>, asked: Command[] = []): RunCommand {
  return async (command) => {
    asked.push(command);
    const stdout = outputs[command[0]];
    return { status: stdout === undefined ? null : 0, stdout: stdout ?? '', stderr: '' };
  };
}

describe('WPAD', () => {
  it.each([
    ['eng.corp.example', ['eng.corp.example', 'corp.example']],
    ['Corp.Example.', ['corp.example']],
    ['a.b.corp.co.uk', ['a.b.corp.co.uk', 'b.corp.co.uk', 'corp.co.uk']],
    ['team.ann.github.io', ['team.ann.github.io', 'ann.github.io']],
    ['ad.corp.internal', ['ad.corp.internal', 'corp.internal']],
    ['co.uk', []],
    ['github.io', []],
    ['lan', []],
    ['', []],
    ['10.0.0.1', []],
  ])('looks in %s and above, never in a public suffix', async (domain, expected) => {
    expect(await wpadUrls(domain)).toEqual(expected.map((name) => `http://wpad.${name}/wpad.dat`));
  });

  it("reads DHCP's option 252", () => {
    expect(nmcliPac(NMCLI)).toBe('http://pac.corp.example/proxy.pac');
    expect(nmcliPac(NMCLI.replace(/^.* wpad = .*\n/m, ''))).toBeNull();
    expect(nmcliPac(NMCLI.replace(/ wpad = .*/, ' wpad = file:///etc/passwd'))).toBeNull();
    expect(ipconfigPac('http://pac.corp.example/proxy.pac\n\n')).toBe('http://pac.corp.example/proxy.pac');
    expect(ipconfigPac('')).toBeNull();
  });

  it('reads the DNS domains', () => {
    expect(resolvConfDomains('nameserver 10.0.0.53\ndomain old.test\nsearch eng.corp.test  corp.test\n')).toEqual([
      'eng.corp.test',
      'corp.test',
    ]);
    expect(resolvConfDomains('# search not.this\nnameserver 10.0.0.53\n')).toEqual([]);
    expect(scutilDns(SCUTIL)).toEqual({ domains: ['eng.corp.example', 'corp.example'], networkInterface: 'en0' });
    const plain = SCUTIL.replace(/ {2}search domain\[\d\] : (?:eng\.)?corp\.example\n/g, '');
    expect(scutilDns(plain)).toEqual({ domains: [], networkInterface: 'en0' });
    expect(scutilDns('No DNS configuration available\n')).toEqual({ domains: [], networkInterface: null });
    expect(windowsDomains(WINDOWS)).toEqual(['ad.corp.example', 'corp.example']);
    expect(windowsDomains(WINDOWS.replace('ad.corp.example', ''))).toEqual(['corp.example']);
  });

  it('asks DHCP before DNS, and each place once', async () => {
    const linux = machine({ nmcli: NMCLI, cat: 'search eng.corp.example corp.example\n' });
    expect(await readWpadPlaces({ platform: 'linux', env: {}, run: linux, hostname: 'box' })).toEqual([
      'http://pac.corp.example/proxy.pac',
      'http://wpad.eng.corp.example/wpad.dat',
      'http://wpad.corp.example/wpad.dat',
    ]);
    const asked: Command[] = [];
    const macos = machine({ scutil: SCUTIL, ipconfig: 'http://pac.corp.example/mac.pac\n' }, asked);
    expect((await readWpadPlaces({ platform: 'darwin', env: {}, run: macos, hostname: 'mac.other.example' }))[0]).toBe(
      'http://pac.corp.example/mac.pac',
    );
    expect(asked.at(-1)).toEqual(['ipconfig', 'getoption', 'en0', '252']);
    const domains = ['http://wpad.ad.corp.example/wpad.dat', 'http://wpad.corp.example/wpad.dat'];
    const windows = machine({ [REG]: WINDOWS });
    const winhttp = async () => 'http://pac.corp.example/windows.pac';
    expect(
      await readWpadPlaces({ platform: 'win32', env: {}, run: windows, hostname: 'pc', askWinhttp: winhttp }),
    ).toEqual([await winhttp(), ...domains]);
    expect(
      await readWpadPlaces({ platform: 'win32', env: {}, run: windows, hostname: 'pc', askWinhttp: async () => null }),
    ).toEqual(domains);
    // Where there is no winhttp.dll.
    expect(await readWpadPlaces({ platform: 'win32', env: {}, run: windows, hostname: 'pc' })).toEqual(domains);
  });

  it("falls back on the machine's own name, and on nothing", async () => {
    expect(
      await readWpadPlaces({ platform: 'linux', env: {}, run: machine({}), hostname: 'box.corp.example' }),
    ).toEqual(['http://wpad.corp.example/wpad.dat']);
    expect(await readWpadPlaces({ platform: 'linux', env: {}, run: machine({}), hostname: 'box' })).toEqual([]);
  });
});
