import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Failure } from '../../../shared/model/failure.ts';
import { type GivenLimits, limitProblem } from '../../../shared/model/limits.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../../../shared/model/settings.ts';
import type { KeyGuard } from '../../engine/ca/ca-files.ts';
import { describe, failure } from '../../failures/errors.ts';
import { readIfThere, writePrivateFile } from '../private-file.ts';
import { joinPassword, PASSWORD_MASK, splitPassword } from './proxy-address.ts';
import { type ProxyPasswords, SecretStore } from './secret-store.ts';
import { checkSettings } from './settings-rules.ts';

export interface SettingsStoreOptions {
  folder: string;
  /** Encrypts the upstream proxy's password; null: this host cannot. */
  guard: KeyGuard | null;
  /** Settings from the command line: they apply to this run and are not saved. */
  overrides: Partial<Settings>;
}

/** Fills in defaults that an older version's file lacks, and drops settings that only a newer version knows. */
function parseSettings(text: string): Settings {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a JSON object');
  const settings = v.parse(SettingsSchema, { ...DEFAULT_SETTINGS, ...value });
  // A hand-edited file may contain anything. Files named in it are checked when they are used.
  const { upstreamProxy, proxySource, passthroughHosts, proxyBypass, hostOverrides } = settings;
  checkSettings({ upstreamProxy, proxySource, passthroughHosts, proxyBypass, hostOverrides });
  return settings;
}

/** Splits limits into the usable ones and the problems of the others. */
function usableLimits(limits: GivenLimits): { usable: GivenLimits; problems: string[] } {
  const entries = Object.entries(limits);
  return {
    usable: Object.fromEntries(entries.filter((entry) => limitProblem(...entry) === null)),
    problems: entries.flatMap((entry) => limitProblem(...entry) ?? []),
  };
}

/** Returns the settings that contain a password, with the password masked. */
function masked({ upstreamProxy, proxyLogin }: Partial<Settings>): Partial<Settings> {
  return {
    ...(upstreamProxy && { upstreamProxy: { ...upstreamProxy, url: splitPassword(upstreamProxy.url).masked } }),
    ...(proxyLogin && { proxyLogin: { ...proxyLogin, password: proxyLogin.password === '' ? '' : PASSWORD_MASK } }),
  };
}

/**
 * The settings, stored in `settings.json`. Inside the host they contain the upstream proxy's password; on disk and in
 * windows it is masked.
 */
export class SettingsStore {
  readonly #file: string;
  readonly #secrets: SecretStore;
  readonly #listeners = new Set<(store: SettingsStore) => void>();
  #overrides: Partial<Settings>;
  #saved: Settings = DEFAULT_SETTINGS;
  #passwords: ProxyPasswords = { address: '', login: '' };
  /** Why the saved settings could not be used, or null. */
  readonly problem: Failure | null;

  /** Never throws because of the files' content: see `problem`. Throws what `checkSettings` throws for overrides. */
  constructor({ folder, guard, overrides }: SettingsStoreOptions) {
    checkSettings(overrides);
    this.#file = path.join(folder, 'settings.json');
    this.#secrets = new SecretStore(folder, guard);
    this.#overrides = overrides;
    this.problem = this.#read();
  }

  #read(): Failure | null {
    try {
      const text = readIfThere(this.#file);
      if (text === null) return null;
      this.#saved = parseSettings(text);
      const { usable, problems } = usableLimits(this.#saved.limits);
      const { upstreamProxy, proxyLogin } = this.#saved;
      const masked = upstreamProxy.url.includes(`:${PASSWORD_MASK}@`) || proxyLogin.password === PASSWORD_MASK;
      if (masked) this.#passwords = this.#secrets.read();
      if (problems.length === 0) return null;
      this.#saved = { ...this.#saved, limits: usable };
      // The next change writes the file without the refused limits.
      fs.copyFileSync(this.#file, `${this.#file}.unreadable`);
      return failure('settings.limits-refused', { path: this.#file, detail: problems.join('; ') });
    } catch (error) {
      this.#saved = DEFAULT_SETTINGS;
      return this.#setAside(error);
    }
  }

  #setAside(reason: unknown): Failure {
    const detail = describe(reason);
    try {
      fs.renameSync(this.#file, `${this.#file}.unreadable`);
    } catch (error) {
      return failure('settings.unreadable', { path: this.#file, detail: `${detail}; ${describe(error)}` });
    }
    return failure('settings.unreadable', { path: this.#file, detail });
  }

  /** The settings for the engine, with the passwords. */
  current(): Settings {
    const { upstreamProxy, proxyLogin } = this.#saved;
    const { address, login } = this.#passwords;
    const opened = {
      upstreamProxy: { ...upstreamProxy, url: joinPassword(upstreamProxy.url, address) },
      proxyLogin: { ...proxyLogin, password: proxyLogin.password === PASSWORD_MASK ? login : '' },
    };
    const limits = { ...this.#saved.limits, ...this.#overrides.limits };
    return { ...this.#saved, ...opened, ...this.#overrides, limits };
  }

  /** The settings for windows, with the passwords masked. */
  shown(): Settings {
    const settings = this.current();
    return { ...settings, ...masked(settings) };
  }

  /**
   * Changes and saves some settings; from then on they take precedence over the command line's. Throws
   * `proxy.bad-address`, `settings.invalid`, or what the file system throws; then nothing has changed.
   */
  update(change: Partial<Settings>): void {
    checkSettings(change, this.current());
    const passwords = this.#passwordsAfter(change);
    const next = { ...this.#saved, ...change, ...masked(change) };
    const { address, login } = this.#passwords;
    if (passwords.address !== address || passwords.login !== login) this.#secrets.write(passwords);
    writePrivateFile(this.#file, `${JSON.stringify(next, null, 2)}\n`);
    this.#saved = next;
    this.#passwords = passwords;
    this.#overrides = Object.fromEntries(Object.entries(this.#overrides).filter(([key]) => !(key in change)));
    for (const listener of this.#listeners) listener(this);
  }

  /** Returns `current` with a change, without making it. Throws `proxy.bad-address` or `settings.invalid`. */
  with(change: Partial<Settings>): Settings {
    checkSettings(change, this.current());
    const { address, login } = this.#passwordsAfter(change);
    const settings = { ...this.current(), ...change };
    const { upstreamProxy, proxyLogin } = settings;
    return {
      ...settings,
      upstreamProxy: { ...upstreamProxy, url: joinPassword(splitPassword(upstreamProxy.url).masked, address) },
      proxyLogin: { ...proxyLogin, password: proxyLogin.password === '' ? '' : login },
    };
  }

  /** A password sent as the mask keeps its value. */
  #passwordsAfter({ upstreamProxy, proxyLogin }: Partial<Settings>): ProxyPasswords {
    const before = this.current();
    const after = (given: string, was: string): string => (given === PASSWORD_MASK ? was : given);
    const { address, login } = this.#passwords;
    return {
      address: upstreamProxy
        ? after(splitPassword(upstreamProxy.url).password, splitPassword(before.upstreamProxy.url).password)
        : address,
      login: proxyLogin ? after(proxyLogin.password, before.proxyLogin.password) : login,
    };
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (store: SettingsStore) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
