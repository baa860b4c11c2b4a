import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Failure } from '../../shared/model/failure.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../../shared/model/settings.ts';
import { describe, failure } from '../engine/errors.ts';
import type { KeyGuard } from '../engine/tls/ca-files.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
import { joinPassword, PASSWORD_MASK, splitPassword } from './proxy-address.ts';
import { SecretStore } from './secret-store.ts';
import { checkSettings } from './settings-rules.ts';

export interface SettingsStoreOptions {
  folder: string;
  /** Seals the upstream proxy's password, where the host can. */
  guard: KeyGuard | null;
  /** The command line's: they count for this run, and are not written down. */
  overrides: Partial<Settings>;
}

/** A file of an older version lacks settings, one of a newer has more: the first get their defaults, the others go. */
function parseSettings(text: string): Settings {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object');
  const settings = v.parse(SettingsSchema, { ...DEFAULT_SETTINGS, ...value });
  // Hand-edited, it may hold anything; files named in it are looked at when they are used.
  checkSettings({ upstreamProxy: settings.upstreamProxy, passthroughHosts: settings.passthroughHosts });
  return settings;
}

/**
 * The settings, kept in `settings.json`. Inside the host they hold the upstream proxy's password; on disk and towards
 * windows it is masked.
 */
export class SettingsStore {
  readonly #file: string;
  readonly #secrets: SecretStore;
  readonly #listeners = new Set<(store: SettingsStore) => void>();
  #overrides: Partial<Settings>;
  #saved: Settings = DEFAULT_SETTINGS;
  #password = '';
  /** Why the kept settings could not be used, or null. */
  readonly problem: Failure | null;

  /** Never throws for what the files hold: see `problem`. Throws the failures of `checkSettings` about overrides. */
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
      if (this.#saved.upstreamProxy.url.includes(`:${PASSWORD_MASK}@`))
        this.#password = this.#secrets.readProxyPassword();
      return null;
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

  /** As the engine needs them: with the password. */
  current(): Settings {
    const { upstreamProxy, ...rest } = { ...this.#saved, ...this.#overrides };
    if (this.#overrides.upstreamProxy) return { ...rest, upstreamProxy };
    return { ...rest, upstreamProxy: { ...upstreamProxy, url: joinPassword(upstreamProxy.url, this.#password) } };
  }

  /** As windows see them: the password masked. */
  shown(): Settings {
    const settings = this.current();
    const { masked } = splitPassword(settings.upstreamProxy.url);
    return { ...settings, upstreamProxy: { ...settings.upstreamProxy, url: masked } };
  }

  /**
   * Changes some settings, for good; a command line option about the same setting ends here. Throws
   * `proxy.bad-address`, `settings.invalid`, or what the file system throws; then nothing has changed.
   */
  update(change: Partial<Settings>): void {
    checkSettings(change);
    const { masked, password } = splitPassword(change.upstreamProxy?.url ?? '');
    const kept = change.upstreamProxy ? { ...change, upstreamProxy: { ...change.upstreamProxy, url: masked } } : change;
    const next = { ...this.#saved, ...kept };
    const nextPassword = this.#passwordAfter(change, password);
    if (nextPassword !== this.#password) this.#secrets.writeProxyPassword(nextPassword);
    writePrivateFile(this.#file, `${JSON.stringify(next, null, 2)}\n`);
    this.#saved = next;
    this.#password = nextPassword;
    this.#overrides = Object.fromEntries(Object.entries(this.#overrides).filter(([key]) => !(key in change)));
    for (const listener of this.#listeners) listener(this);
  }

  #passwordAfter(change: Partial<Settings>, given: string): string {
    if (!change.upstreamProxy) return this.#password;
    if (given !== PASSWORD_MASK) return given;
    return splitPassword(this.current().upstreamProxy.url).password;
  }

  /** Returns what ends the listening. */
  onChange(listener: (store: SettingsStore) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
