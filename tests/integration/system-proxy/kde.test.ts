import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SystemProxyService } from '../../../electron/commands/services/system-proxy-service.ts';
import { readSystemProxy } from '../../../electron/system/proxy/read/read-system-proxy.ts';
import { callHost } from '../../support/call-host.ts';
import { KDE_TOOL, kdeDesktop, LIVED_KDE } from '../../support/kde-desktop.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';

type Env = Record<string, string>;

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
  execFileSync(KDE_TOOL ?? '', ['--file', 'kioslaverc', '--group', 'Proxy Settings', '--key', key, value], { env });
};

describe.skipIf(KDE_TOOL === undefined)("KDE's proxy, in a separate folder", () => {
  it('is set to ours, and restored to the last line', async () => {
    const { env, file } = kdeDesktop(LIVED_KDE);
    const service = serviceIn(env);
    expect(await service.status()).toEqual({ state: 'off', label: 'KDE', detail: 'a PAC file' });
    expect(await service.set(true)).toEqual({ state: 'on', label: 'KDE', detail: '127.0.0.1:8866' });
    const ours = { http: 'http://127.0.0.1:8866', https: 'http://127.0.0.1:8866', other: null, bypass: [] };
    expect(await readSystem(env)()).toMatchObject(ours);
    expect(await service.original()).toMatchObject({ pac: 'http://pac.test/proxy.pac' });
    expect((await service.set(false)).state).toBe('off');
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED_KDE);
  });

  it('is restored if nothing was ever set', async () => {
    const { env, file } = kdeDesktop(null);
    const service = serviceIn(env);
    await service.set(true);
    await service.set(false);
    expect(fs.readFileSync(file, 'utf8').trim()).toBe('');
    expect(await readSystem(env)()).toBeNull();
  });

  it('is not changed if its user changed it meanwhile', async () => {
    const { env, file } = kdeDesktop(LIVED_KDE);
    const service = serviceIn(env);
    await service.set(true);
    set(env, 'httpProxy', 'http://new.test 80');
    expect((await service.status()).state).toBe('overruled');
    await service.set(false);
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED_KDE.replace('old.test 3128', 'new.test 80'));
  });

  it('is restored at the next start after a crash', async () => {
    const { env, file } = kdeDesktop(LIVED_KDE);
    await serviceIn(env).set(true);
    const journal = path.join(env.HOME ?? '', 'system-proxy.json');
    const { pid } = spawnSync('true');
    fs.writeFileSync(journal, JSON.stringify({ ...JSON.parse(fs.readFileSync(journal, 'utf8')), pid }));
    await serviceIn(env).recover();
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED_KDE);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('is restored when Roundtrip gets a %s', async (signal) => {
    const { env, file } = kdeDesktop(LIVED_KDE);
    const folder = path.join(env.HOME ?? '', 'roundtrip');
    const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json', '--data-dir', folder], { env });
    const { ui, proxy } = await cli.ready();
    const status = await callHost(ui, 'system-proxy.set', { on: true });
    expect(status).toEqual({ state: 'on', label: 'KDE', detail: new URL(proxy).host });
    expect(fs.readFileSync(file, 'utf8')).not.toBe(LIVED_KDE);
    cli.child.kill(signal);
    await cli.finished;
    // The journal is removed last, after its state has been restored.
    while (fs.existsSync(path.join(folder, 'system-proxy.json'))) await new Promise((resume) => setTimeout(resume, 20));
    expect(fs.readFileSync(file, 'utf8')).toBe(LIVED_KDE);
  });

  it.each([
    ['by its file', `[$i]\n${LIVED_KDE}`],
    ['by its group', LIVED_KDE.replace('[Proxy Settings]', '[Proxy Settings][$i]')],
    ['by its key', LIVED_KDE.replace('ProxyType=', 'ProxyType[$i]=')],
  ])('is not touched where it is locked %s', async (_, locked) => {
    const { env, file } = kdeDesktop(locked);
    const service = serviceIn(env);
    expect(await service.status()).toMatchObject({ state: 'unavailable', detail: expect.stringContaining('locked') });
    await expect(service.set(true)).rejects.toMatchObject({ code: 'system-proxy.failed' });
    expect(fs.readFileSync(file, 'utf8')).toBe(locked);
  });
});
