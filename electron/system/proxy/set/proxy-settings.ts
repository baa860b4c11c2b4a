import type { Environment, RunCommand } from '../../run-command.ts';

/** All settings that determine the system's proxy, as text that its tool accepts. */
export type ProxySettings = Readonly<Record<string, string>>;

/** How one kind of desktop stores its proxy. Methods reject with an Error whose message names the fix. */
export interface ProxyPlatform {
  /** `GNOME`. */
  readonly label: string;
  read(): Promise<ProxySettings>;
  /**
   * The settings that send everything, loopback included, to `host:port`; only what changes, in the order of writing.
   */
  towards(before: ProxySettings, host: string, port: number): ProxySettings;
  /** In the order given. */
  write(settings: ProxySettings): Promise<void>;
  /** The setting as text for the user. */
  describe(settings: ProxySettings): string;
}

export interface PlatformContext {
  env: Environment;
  run: RunCommand;
}
