import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemProxyService } from '../../../electron/commands/services/system-proxy-service.ts';
import { readSystemProxy } from '../../../electron/system/proxy/read/read-system-proxy.ts';
import type { SystemProxyStatus } from '../../../shared/model/proxy/system-proxy.ts';
import { callHost } from '../../support/call-host.ts';
import { gnomeSession, hasGnomeSettings } from '../../support/private-bus.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Env = Record<string, string>;
const SCHEMA = 'org.gnome.system.proxy';

const set = (env: Env, schema: string, key: string, value: string): void => {
  execFileSync('gsettings', ['set', schema, key, value], { env });
};
const get = (env: Env, schema: string, key: string): string =>
  execFileSync('gsettings', ['get', schema, key], { env }).toString().trim();
const all = (env: Env): string => execFileSync('gsettings', ['list-recursively', SCHEMA], { env }).toString();

/** A company's PAC file, an old manual proxy, and custom hosts: all of it must be restored. */
async function lived(): Promise<{ env: Env; before: string }> {
  const session = await gnomeSession(temporaryFolder());
  onTestFinished(session.close);
  const { env } = session;
  set(env, SCHEMA, 'mode', 'auto');
  set(env, SCHEMA, 'autoconfig-url', 'http://pac.test/proxy.pac');
  set(env, SCHEMA, 'ignore-hosts', "['localhost', '*.corp.test']");
  set(env, `${SCHEMA}.http`, 'host', 'old.test');
  set(env, `${SCHEMA}.http`, 'port', '3128');
  set(env, `${SCHEMA}.socks`, 'host', 'socks.test');
  return { env, before: all(env) };
}

function serviceIn(env: Env, proxyUrl = 'http://127.0.0.1:8866'): SystemProxyService {
  const dataFolder = env.HOME ?? '';
  const readSystem = () =>
    readSystemProxy('linux', { ...env, http_proxy: '', https_proxy: '', HTTP_PROXY: '', HTTPS_PROXY: '' });
  return new SystemProxyService({
    readSystem,
    dataFolder,
    proxyUrl: () => proxyUrl,
    watchdog: ['true'],
    onChange: () => undefined,
    env,
    platform: 'linux',
  });
}

const journalOf = (env: Env): string => path.join(env.HOME ?? '', 'system-proxy.json');

describe.skipIf(!hasGnomeSettings())("GNOME's proxy, on a separate bus", () => {
  it('is set to ours, loopback included, and restored to the last key', async () => {
    const { env, before } = await lived();
    const service = serviceIn(env);
    expect(await service.status()).toEqual({
      state: 'off',
      label: 'GNOME',
      detail: 'a PAC file: http://pac.test/proxy.pac',
    });
    expect(await service.set(true)).toEqual({ state: 'on', label: 'GNOME', detail: '127.0.0.1:8866' });
    expect(get(env, SCHEMA, 'mode')).toBe("'manual'");
    expect(get(env, SCHEMA, 'ignore-hosts')).toBe('@as []');
    expect(get(env, `${SCHEMA}.https`, 'port')).toBe('8866');
    expect(fs.statSync(journalOf(env)).mode & 0o777).toBe(0o600);
    expect((await service.set(false)).state).toBe('off');
    expect(all(env)).toBe(before);
    expect(fs.existsSync(journalOf(env))).toBe(false);
  });

  it("remembers the machine's own upstream proxy while ours replaces it", async () => {
    const { env } = await lived();
    const service = serviceIn(env);
    const corporate = { pac: 'http://pac.test/proxy.pac' };
    expect(await service.original()).toMatchObject(corporate);
    await service.set(true);
    expect(await service.original()).toMatchObject(corporate);
    await service.set(false);
    expect(await service.original()).toMatchObject(corporate);
  });

  it('is not changed if its user changed it meanwhile', async () => {
    const { env } = await lived();
    const service = serviceIn(env);
    await service.set(true);
    set(env, SCHEMA, 'mode', 'none');
    set(env, `${SCHEMA}.http`, 'host', 'new.test');
    expect((await service.status()).state).toBe('overruled');
    await service.set(false);
    expect(get(env, SCHEMA, 'mode')).toBe("'none'");
    expect(get(env, `${SCHEMA}.http`, 'host')).toBe("'new.test'");
    expect(get(env, `${SCHEMA}.http`, 'port')).toBe('3128');
    expect(get(env, SCHEMA, 'ignore-hosts')).toBe("['localhost', '*.corp.test']");
  });

  it('is restored at the next start after a crash', async () => {
    const { env, before } = await lived();
    await serviceIn(env).set(true);
    // The process of the journal is gone, and its watchdog with it: as after a power cut.
    const journal = JSON.parse(fs.readFileSync(journalOf(env), 'utf8'));
    const { pid } = spawnSync('true');
    fs.writeFileSync(journalOf(env), JSON.stringify({ ...journal, pid }));
    await serviceIn(env).recover();
    expect(all(env)).toBe(before);
  });

  it('is restored even if its process id is reused after a reboot', async () => {
    const { env, before } = await lived();
    await serviceIn(env).set(true);
    const journal = JSON.parse(fs.readFileSync(journalOf(env), 'utf8'));
    fs.writeFileSync(journalOf(env), JSON.stringify({ ...journal, pid: 1, boot: journal.boot - 86_400_000 }));
    await serviceIn(env).recover();
    expect(all(env)).toBe(before);
  });

  it('is not taken from another Roundtrip that runs', async () => {
    const { env } = await lived();
    await serviceIn(env).set(true);
    const journal = JSON.parse(fs.readFileSync(journalOf(env), 'utf8'));
    fs.writeFileSync(journalOf(env), JSON.stringify({ ...journal, pid: process.ppid }));
    await serviceIn(env).recover();
    expect(get(env, SCHEMA, 'mode')).toBe("'manual'");
    await expect(serviceIn(env).set(true)).rejects.toMatchObject({ code: 'system-proxy.busy' });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('is restored when Roundtrip gets a %s', async (signal) => {
    const { env, before } = await lived();
    const folder = path.join(env.HOME ?? '', 'roundtrip');
    const cli = new RoundtripCli(['serve', '--port', '0', '--ui-port', '0', '--json', '--data-dir', folder], { env });
    const { ui, proxy } = await cli.ready();
    const status = (await callHost(ui, 'system-proxy.set', { on: true })) as SystemProxyStatus;
    expect(status).toEqual({ state: 'on', label: 'GNOME', detail: new URL(proxy).host });
    expect(get(env, SCHEMA, 'mode')).toBe("'manual'");
    cli.child.kill(signal);
    await cli.finished;
    while (all(env) !== before) await new Promise((resume) => setTimeout(resume, 100));
    // The journal is removed last, after its state has been restored.
    while (fs.existsSync(path.join(folder, 'system-proxy.json'))) await new Promise((resume) => setTimeout(resume, 20));
  });
});

describe('a desktop that stores its proxy elsewhere', () => {
  it('is named, and nothing is changed', async () => {
    const service = serviceIn({ HOME: '/nonexistent', PATH: '', XDG_CURRENT_DESKTOP: 'LXQt' });
    expect(await service.status()).toMatchObject({ state: 'unavailable', detail: expect.stringContaining('LXQt') });
    await expect(service.set(true)).rejects.toMatchObject({ code: 'system-proxy.unavailable' });
  });
});
