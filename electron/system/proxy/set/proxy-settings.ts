import type { Environment, RunCommand } from '../../run-command.ts';

/** Every setting that decides on the system's proxy, as text that its tool takes back. */
export type ProxySettings = Readonly<Record<string, string>>;

/** How one kind of desktop keeps its proxy. Methods reject with an Error whose message says what to do. */
export interface ProxyPlatform {
  /** `GNOME`. */
  readonly label: string;
  read(): Promise<ProxySettings>;
  /** The settings that send everything, loopback included, to `host:port`; only what changes, in the order of writing. */
  towards(before: ProxySettings, host: string, port: number): ProxySettings;
  /** In the order given. */
  write(settings: ProxySettings): Promise<void>;
  /** What is set, for a person. */
  describe(settings: ProxySettings): string;
}

export interface PlatformContext {
  env: Environment;
  run: RunCommand;
}
