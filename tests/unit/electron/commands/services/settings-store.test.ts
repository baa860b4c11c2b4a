import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SettingsStore } from '../../../../../electron/commands/services/settings-store.ts';
import {
  DEFAULT_SETTINGS,
  type HostOverride,
  NO_OVERRIDE,
  type Settings,
} from '../../../../../shared/model/settings.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const PROXY = { upstreamProxy: { enabled: true, url: 'http://user:hunter2@proxy.test:3128' } };

const RULES: HostOverride = { ...NO_OVERRIDE, host: 'a.test' };

function open(folder: string, overrides: Partial<Settings> = {}): SettingsStore {
  return new SettingsStore({ folder, guard: null, overrides });
}

describe('settings store', () => {
  it('begins with the defaults', () => {
    const store = open(temporaryFolder());
    expect(store.current()).toEqual(DEFAULT_SETTINGS);
    expect(store.problem).toBeNull();
  });

  it('keeps a change across starts and notifies its listeners', () => {
    const folder = temporaryFolder();
    const store = open(folder);
    const heard = vi.fn();
    const end = store.onChange(heard);
    store.update({ intercept: false });
    end();
    store.update({ retry: false });
    expect(heard).toHaveBeenCalledTimes(1);
    expect(open(folder).current()).toEqual({ ...DEFAULT_SETTINGS, intercept: false, retry: false });
  });

  it('keeps the password out of the settings file and away from windows', () => {
    const folder = temporaryFolder();
    const store = open(folder);
    store.update(PROXY);
    expect(store.current().upstreamProxy.url).toBe('http://user:hunter2@proxy.test:3128');
    expect(store.shown().upstreamProxy.url).toBe('http://user:***@proxy.test:3128');
    const file = path.join(folder, 'settings.json');
    expect(fs.readFileSync(file, 'utf8')).not.toContain('hunter2');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(open(folder).current().upstreamProxy.url).toBe('http://user:hunter2@proxy.test:3128');
  });

  it('reads a masked password as the stored one', () => {
    const folder = temporaryFolder();
    open(folder).update(PROXY);
    const store = open(folder);
    store.update({ upstreamProxy: { enabled: false, url: 'http://user:***@other.test:1' } });
    expect(store.current().upstreamProxy).toEqual({ enabled: false, url: 'http://user:hunter2@other.test:1' });
  });

  it('forgets a password that is taken out', () => {
    const folder = temporaryFolder();
    open(folder).update(PROXY);
    open(folder).update({ upstreamProxy: { enabled: true, url: 'http://proxy.test:3128' } });
    expect(fs.readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('hunter2');
    expect(open(folder).current().upstreamProxy.url).toBe('http://proxy.test:3128');
  });

  it('seals the password where the host can', () => {
    const folder = temporaryFolder();
    const guard = {
      wrap: (text: string) => Buffer.from(text.split('').reverse().join('')),
      unwrap: (sealed: Buffer) => sealed.toString().split('').reverse().join(''),
    };
    new SettingsStore({ folder, guard, overrides: {} }).update(PROXY);
    expect(fs.readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('hunter2');
    const again = new SettingsStore({ folder, guard, overrides: {} });
    expect(again.current().upstreamProxy.url).toBe('http://user:hunter2@proxy.test:3128');
    expect(open(folder).problem?.code).toBe('settings.unreadable');
  });

  it('keeps the login for proxies like the password of the address', () => {
    const folder = temporaryFolder();
    const store = open(folder);
    store.update({ ...PROXY, proxyLogin: { user: 'ann', password: 's3cret' } });
    expect(store.current().proxyLogin).toEqual({ user: 'ann', password: 's3cret' });
    expect(store.shown().proxyLogin).toEqual({ user: 'ann', password: '***' });
    expect(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8')).not.toContain('s3cret');
    const again = open(folder);
    again.update({ proxyLogin: { user: 'bob', password: '***' } });
    expect(again.current()).toMatchObject({ ...PROXY, proxyLogin: { user: 'bob', password: 's3cret' } });
    expect(again.with({ proxyLogin: { user: 'x', password: 'y' } }).proxyLogin.password).toBe('y');
    expect(again.with(again.shown())).toEqual(again.current());
    again.update({ proxyLogin: { user: '', password: '' } });
    expect(fs.readFileSync(path.join(folder, 'secrets.json'), 'utf8')).not.toContain('s3cret');
    expect(open(folder).current().upstreamProxy.url).toContain('hunter2');
  });

  it('needs an address only for the manual proxy', () => {
    const folder = temporaryFolder();
    const store = open(folder, { upstreamProxy: { enabled: true, url: '' }, proxySource: 'system' });
    store.update({ upstreamProxy: { enabled: true, url: '' }, proxySource: 'pac', proxyPac: '/etc/proxy.pac' });
    store.update({ upstreamProxy: { enabled: false, url: '' } });
    store.update({ upstreamProxy: { enabled: true, url: '' } });
    expect(open(folder)).toMatchObject({ problem: null });
    expect(() => store.update({ proxySource: 'manual', upstreamProxy: { enabled: true, url: '' } })).toThrow(
      'it is empty',
    );
  });

  it('applies the command line to this run only, until the user changes the same setting', () => {
    const folder = temporaryFolder();
    const store = open(folder, { intercept: false, retry: false, ...PROXY });
    expect(store.current()).toMatchObject({ intercept: false, retry: false, ...PROXY });
    expect(store.shown().upstreamProxy.url).toBe('http://user:***@proxy.test:3128');
    store.update({ intercept: true });
    expect(store.current()).toMatchObject({ intercept: true, retry: false });
    expect(open(folder).current()).toEqual(DEFAULT_SETTINGS);
  });

  it.each(['', '{', '[]', 'null', '{"intercept":"yes"}', '{"upstreamProxy":{"enabled":true,"url":"ftp://a"}}'])(
    'sets a broken file aside and reports it: %j',
    (text) => {
      const folder = temporaryFolder();
      fs.writeFileSync(path.join(folder, 'settings.json'), text);
      const store = open(folder);
      expect(store.current()).toEqual(DEFAULT_SETTINGS);
      expect(store.problem?.code).toBe('settings.unreadable');
      expect(fs.readFileSync(path.join(folder, 'settings.json.unreadable'), 'utf8')).toBe(text);
      store.update({ retry: false });
      expect(open(folder)).toMatchObject({ problem: null });
    },
  );

  it.each([
    ['settings.json', '{"upstreamProxy": hunter2}'],
    ['settings.json', '{"upstreamProxy":"http://user:hunter2@a.test"}'],
    ['settings.json', '{"passthroughHosts":["http://user:hunter2@a.test/"]}'],
    ['secrets.json', '{"upstreamProxyPassword": hunter2}'],
    ['secrets.json', '{"upstreamProxyPassword": "hunter2", "proxyLoginPassword": 1}'],
  ])('does not quote a password of a broken %s: %s', (name, text) => {
    const folder = temporaryFolder();
    open(folder).update(PROXY);
    fs.writeFileSync(path.join(folder, name), text);
    const { problem } = open(folder);
    expect(problem?.code).toBe('settings.unreadable');
    expect(problem?.message).not.toContain('hunter2');
  });

  it('reads the file of an older and of a newer version', () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'settings.json'), '{"intercept":false,"brandNew":1}');
    expect(open(folder).current()).toEqual({ ...DEFAULT_SETTINGS, intercept: false });
  });

  it.each([
    [{ upstreamProxy: { enabled: true, url: '' } }, 'proxy.bad-address'],
    [{ upstreamProxy: { enabled: false, url: 'ftp://a' } }, 'proxy.bad-address'],
    [{ passthroughHosts: ['a b'] }, 'settings.invalid'],
    [{ passthroughHosts: [''] }, 'settings.invalid'],
    [{ upstreamCaFiles: ['/nowhere.pem'] }, 'settings.invalid'],
    [{ proxyCaFiles: ['/nowhere.pem'] }, 'settings.invalid'],
    [{ proxyBypass: ['a b'] }, 'settings.invalid'],
    [{ agentsSendTo: ['a.test', 'https://b.test'] }, 'settings.invalid'],
    [{ agentsSendTo: ['a.test:8443'] }, 'settings.invalid'],
    [{ agentsSendTo: ['*.test'] }, 'settings.invalid'],
    [{ agentsSendTo: ['A.test'] }, 'settings.invalid'],
    [{ agentsSendTo: [''] }, 'settings.invalid'],
    [{ proxyPac: 'http://ann:hunter2@a.test/proxy.pac' }, 'settings.invalid'],
    [{ hostOverrides: [{ ...RULES, host: '' }] }, 'settings.invalid'],
    [{ hostOverrides: [{ ...RULES, address: 'a/b' }] }, 'settings.invalid'],
    [{ hostOverrides: [{ ...RULES, proxy: 'http://u:p@a.test' }] }, 'settings.invalid'],
    [{ hostOverrides: [{ ...RULES, proxy: 'ftp://a.test' }] }, 'proxy.bad-address'],
  ])('refuses %j whole', (change, code) => {
    const folder = temporaryFolder();
    const store = open(folder);
    expect(() => store.update({ retry: false, ...change })).toThrow(expect.objectContaining({ code }));
    expect(store.current()).toEqual(DEFAULT_SETTINGS);
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('keeps the hosts that agents can send to, written as requests name them', () => {
    const folder = temporaryFolder();
    const agentsSendTo = ['a.test', '127.0.0.1', '::1', 'my_service'];
    open(folder).update({ agentsSendTo });
    expect(open(folder).current().agentsSendTo).toEqual(agentsSendTo);
  });

  it("keeps limits, and counts the command line's over them for this run", () => {
    const folder = temporaryFolder();
    open(folder).update({ limits: { headBytes: 8192, connectTime: 5000 } });
    const store = open(folder, { limits: { headBytes: 16384 } });
    expect(store.current().limits).toEqual({ headBytes: 16384, connectTime: 5000 });
    expect(open(folder).current().limits).toEqual({ headBytes: 8192, connectTime: 5000 });
  });

  it.each([
    [{ headBytes: 1 }, 'give a whole number from 8192 to 16777216 bytes'],
    [{ headBites: 9000 }, 'there is no limit "headBites"'],
  ])('refuses the limits %j', (limits, why) => {
    const folder = temporaryFolder();
    const store = open(folder);
    expect(() => store.update({ limits, retry: false })).toThrow(why);
    expect(store.current()).toEqual(DEFAULT_SETTINGS);
    expect(() => open(folder, { limits })).toThrow(why);
  });

  it('ignores invalid limits in a file, reports which, and keeps the file', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'settings.json');
    const text = '{ "retry": false, "limits": { "headBytes": 3, "connectTime": 5000, "headBites": 1 } }';
    fs.writeFileSync(file, text);
    const store = open(folder);
    expect(store.problem?.code).toBe('settings.limits-refused');
    expect(store.problem?.message).toMatch(/headBytes is 3; give .*there is no limit "headBites"/);
    expect(store.current()).toEqual({ ...DEFAULT_SETTINGS, retry: false, limits: { connectTime: 5000 } });
    store.update({ nagle: true });
    expect(fs.readFileSync(`${file}.unreadable`, 'utf8')).toBe(text);
  });
});
