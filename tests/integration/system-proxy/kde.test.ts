import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SystemProxyService } from '../../../electron/commands/system-proxy-service.ts';
import { readSystemProxy } from '../../../electron/system/proxy-reader/read-system-proxy.ts';
import { callHost } from '../../support/call-host.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Env = Record<string, string>;

const TOOL = ['kwriteconfig6', 'kwriteconfig5'].find((name) => spawnSync(name, ['--help']).status === 0);

/** A company's PAC file, an old manual proxy, and hosts of one's own: all of it has to come back. */
const LIVED = [
  '[$Version]',
  'update_info=kioslave.upd:kde2.2/r1',
  '',
  '[Proxy Settings]',
  'NoProxyFor=localhost,.corp.test',
  'Proxy Config Script=http://pac.test/proxy.pac',
  'ProxyType=2',
  'ReversedException=true',
  'httpProxy=http://old.test 3128',
  'socksProxy=socks://socks.test 1080',
  '',
].join('\n');

function desktop(kioslaverc: string | null): { env: Env; file: string } {
  const home = temporaryFolder();
  const file = path.join(home, 'kioslaverc');
  if (kioslaverc !== null) fs.writeFileSync(file, kioslaverc);
  const inherited = Object.entries(process.env).filter(([, value]) => value !== undefined) as [string, string][];
  const proxies = { http_proxy: '', https_proxy: '', all_proxy: '', HTTPS_PROXY: '', ALL_PROXY: '' };
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_CURRENT_DESKTOP: 'KDE',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
  };
  return { env: { ...Object.fromEntries(inherited), ...proxies, ...own }, file };
}

const readSystem = (env: Env) => () => readSystemProxy('linux', env);

function serviceIn(env: Env): SystemProxyService {
  return new SystemProxyService({
    readSystem: readSystem(env),
    dataFolder: env.HOME ?? '',
    proxyUrl: () => 'http://127.0.0.1:8866',
    watchdog: ['true'],
    onChange: () => undefined,
    env,
    platform: 'linux',
  });
}

const set = (env: Env, key: string, value: string): void => {
  execFileSync(TOOL ?? '', ['--file', 'kioslaverc', '--group', 'Proxy Settings', '--key', key, value], { env });
};

describe.skipIf(TOOL === undefined)("KDE's proxy, in a folder of its own", () => {
  it('is set to ours, and put back to the last line', async () => {
    const { env, file } = desktop(LIVED);
    const service = serviceIn(env);
    expect(await service.status()).toEqual({ state: 'off', label: 'KDE', detail: 'a PAC file' });
    expect(await service.set(true)).toEqual({ state: 'on', label: 'KDE', detail: '127.0.0.1:8866' });
    const ours = { http: 'http://127.0.0.1:8866', https: 'http://127.0.0.1:8866', other: null, bypass: [] };
    expect(await readSystem(env)()).toMatchObject(ours);
    expect(await service.original()).toMatchObject({ pac: 'http://pac.test/proxy.pac' });
    expect((await service.set(false)).state).toBe('off');
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED);
  });

  it('is put back where nothing was ever set', async () => {
    const { env, file } = desktop(null);
    const service = serviceIn(env);
    await service.set(true);
    await service.set(false);
    expect(fs.readFileSync(file, 'utf8').trim()).toBe('');
    expect(await readSystem(env)()).toBeNull();
  });

  it('is left alone where its user changed it meanwhile', async () => {
    const { env, file } = desktop(LIVED);
    const service = serviceIn(env);
    await service.set(true);
    set(env, 'httpProxy', 'http://new.test 80');
    expect((await service.status()).state).toBe('overruled');
    await service.set(false);
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED.replace('old.test 3128', 'new.test 80'));
  });

  it('is put back at the next start after a crash', async () => {
    const { env, file } = desktop(LIVED);
    await serviceIn(env).set(true);
    const journal = path.join(env.HOME ?? '', 'system-proxy.json');
    const { pid } = spawnSync('true');
    fs.writeFileSync(journal, JSON.stringify({ ...JSON.parse(fs.readFileSync(journal, 'utf8')), pid }));
    await serviceIn(env).recover();
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('is put back when Roundtrip gets a %s', async (signal) => {
    const { env, file } = desktop(LIVED);
    const folder = path.join(env.HOME ?? '', 'roundtrip');
    const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json', '--data-dir', folder], { env });
    const { ui, proxy } = await cli.ready();
    const status = await callHost(ui, 'system-proxy.set', { on: true });
    expect(status).toEqual({ state: 'on', label: 'KDE', detail: new URL(proxy).host });
    expect(fs.readFileSync(file, 'utf8')).not.toBe(LIVED);
    cli.child.kill(signal);
    await cli.finished;
    // The journal goes last, after the state that it holds is back.
    while (fs.existsSync(path.join(folder, 'system-proxy.json'))) await new Promise((resume) => setTimeout(resume, 20));
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED);
  });

  it.each([
    ['by its file', `[$i]\n${LIVED}`],
    ['by its group', LIVED.replace('[Proxy Settings]', '[Proxy Settings][$i]')],
    ['by its key', LIVED.replace('ProxyType=', 'ProxyType[$i]=')],
  ])('is not touched where it is locked %s', async (_, locked) => {
    const { env, file } = desktop(locked);
    const service = serviceIn(env);
    expect(await service.status()).toMatchObject({ state: 'unavailable', detail: expect.stringContaining('locked') });
    await expect(service.set(true)).rejects.toMatchObject({ code: 'system-proxy.failed' });
    expect(fs.readFileSync(file, 'utf8')).toBe(locked);
  });
});
