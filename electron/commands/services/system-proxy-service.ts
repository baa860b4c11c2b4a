import path from 'node:path';
import type { SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import type { SystemProxyStatus } from '../../../shared/model/proxy/system-proxy.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { bootTime, isOwned } from '../../system/launch/owner.ts';
import { isInForce, readJournal, removeJournal, restore, writeJournal } from '../../system/proxy/set/proxy-journal.ts';
import { proxyPlatform } from '../../system/proxy/set/proxy-platform.ts';
import type { ProxyPlatform } from '../../system/proxy/set/proxy-settings.ts';
import { startWatchdog } from '../../system/proxy/set/watchdog.ts';
import { type Command, type Environment, type RunCommand, runCommand } from '../../system/run-command.ts';

export interface SystemProxyOptions {
  dataFolder: string;
  /** Empty while the proxy does not run. */
  proxyUrl: () => string;
  /** Command that runs `electron/system/proxy/set/watchdog.ts`. */
  watchdog: Command;
  /** Reads the machine's proxy settings in the form that the engine uses for its upstream. */
  readSystem: () => Promise<SystemProxy | null>;
  onChange: (status: SystemProxyStatus) => void;
  env?: Environment;
  platform?: string;
  run?: RunCommand;
}

/** Sets the system's proxy to Roundtrip and restores it: at the end, by the watchdog, or at the next start. */
export class SystemProxyService {
  readonly #options: SystemProxyOptions;
  readonly #journal: string;
  readonly #platform: ProxyPlatform | string;
  readonly #env: Environment;
  /** Serializes changes. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The previous setting while the system's proxy is ours; otherwise undefined. */
  #original: SystemProxy | null | undefined;

  constructor(options: SystemProxyOptions) {
    const { env = process.env, platform = process.platform, run = runCommand } = options;
    this.#options = options;
    this.#env = env;
    this.#journal = path.join(options.dataFolder, 'system-proxy.json');
    this.#platform = proxyPlatform({ env, run }, platform);
  }

  async status(): Promise<SystemProxyStatus> {
    if (typeof this.#platform === 'string') return { state: 'unavailable', label: 'System', detail: this.#platform };
    const { label } = this.#platform;
    try {
      const now = await this.#platform.read();
      const journal = readJournal(this.#journal);
      const state = journal === null ? 'off' : isInForce(journal, now) ? 'on' : 'overruled';
      return { state, label, detail: this.#platform.describe(now) };
    } catch (error) {
      return { state: 'unavailable', label, detail: describe(error) };
    }
  }

  /**
   * The machine's own proxy, even while Roundtrip has replaced it: requests sent upstream through the system's proxy
   * must not come back to Roundtrip.
   */
  async original(): Promise<SystemProxy | null> {
    return this.#original === undefined ? await this.#options.readSystem() : this.#original;
  }

  /** Rejects with `system-proxy.unavailable`, `system-proxy.busy`, `system-proxy.failed` or `engine.stopped`. */
  set(on: boolean): Promise<SystemProxyStatus> {
    const change = this.#turn.then(() => (on ? this.#turnOn() : this.#turnOff()));
    this.#turn = change.catch(() => null);
    return change;
  }

  /** Restores the setting if a process that has ended, for example by a crash, left it changed. Never rejects. */
  async recover(): Promise<void> {
    const journal = readJournal(this.#journal);
    if (journal === null || typeof this.#platform === 'string') return;
    if (journal.pid !== process.pid && isOwned(journal)) return;
    await restore(this.#journal, this.#platform).catch(() => null);
  }

  /** Restores the setting if this process changed it. Never rejects. */
  async close(): Promise<void> {
    await this.#turn;
    if (readJournal(this.#journal)?.pid === process.pid) await this.#turnOff().catch(() => null);
  }

  #known(): ProxyPlatform {
    if (typeof this.#platform !== 'string') return this.#platform;
    throw roundtripError('system-proxy.unavailable', { detail: this.#platform });
  }

  async #turnOn(): Promise<SystemProxyStatus> {
    const platform = this.#known();
    const { proxyUrl, watchdog } = this.#options;
    if (proxyUrl() === '') throw roundtripError('engine.stopped', {});
    const other = readJournal(this.#journal);
    if (other && other.pid !== process.pid && isOwned(other)) throw roundtripError('system-proxy.busy', {});
    try {
      // Undo an earlier change of ours first, overruled or not: the state to restore must be the one without Roundtrip.
      if (other) await restore(this.#journal, platform);
      const before = await platform.read();
      this.#original = await this.#options.readSystem();
      const ours = platform.towards(before, '127.0.0.1', Number(new URL(proxyUrl()).port));
      writeJournal(this.#journal, { pid: process.pid, boot: bootTime(), label: platform.label, before, ours });
      startWatchdog(watchdog, this.#journal, this.#env);
      await platform.write(ours);
    } catch (error) {
      await restore(this.#journal, platform).catch(() => null);
      this.#original = undefined;
      throw roundtripError('system-proxy.failed', { detail: describe(error) });
    }
    return await this.#say();
  }

  async #turnOff(): Promise<SystemProxyStatus> {
    const platform = this.#known();
    try {
      await restore(this.#journal, platform);
    } catch (error) {
      throw roundtripError('system-proxy.failed', { detail: describe(error) });
    }
    removeJournal(this.#journal);
    this.#original = undefined;
    return await this.#say();
  }

  async #say(): Promise<SystemProxyStatus> {
    const status = await this.status();
    this.#options.onChange(status);
    return status;
  }
}
