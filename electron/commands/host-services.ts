import type {
  BodyRange,
  CaStatus,
  InputOf,
  OutputOf,
  SavedFile,
  WithinSession,
} from '../../shared/contract/requests.ts';
import type { Client, Launcher, Recipe } from '../../shared/model/client.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { ProxyHints } from '../../shared/model/proxy/proxy-hints.ts';
import type { SystemProxyStatus } from '../../shared/model/proxy/system-proxy.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { TrustChange } from '../../shared/model/trust-store.ts';
import type { CaKeeper } from './services/ca-keeper.ts';
import type { ProxyTester } from './services/proxy-tester.ts';
import type { RecentCommands } from './services/recent-commands.ts';
import type { SettingsStore } from './services/settings-store.ts';

/** The engine and what it records, wherever they run. Each method rejects with a `RoundtripError`. */
export interface Recording {
  status(): EngineStatus;
  /** Begins or ends the feed; answers with the sequence of the last batch before it began. */
  setFeedWanted(wanted: boolean): Promise<number>;
  recorded: Pick<ReadableSession, 'info'>;
  clearSession(): Promise<SessionInfo>;
  /** Where the proxy listens, and whether other machines reach it there. */
  listening(): { open: boolean; port: number };
  /** Goes on at another address of this machine. */
  listenOn(host: string): Promise<void>;
}

/** A session that can be read. Each method rejects with a `RoundtripError`: `session.not-open` once it is closed or cleared. */
export interface ReadableSession {
  info(): Promise<SessionInfo>;
  page(input: WithinSession<'exchanges.page'>): Promise<OutputOf<'exchanges.page'>>;
  exchange(id: number): Promise<Exchange>;
  readBody(input: WithinSession<'body.read'>): Promise<BodyRange>;
  /** Writes a whole body to a file. `note`: what the file lacks, or null. */
  saveBody(save: WithinSession<'body.save'>, path: string): Promise<{ bytes: number; note: string | null }>;
  messages(input: WithinSession<'messages.page'>): Promise<OutputOf<'messages.page'>>;
  readMessage(input: WithinSession<'messages.read'>): Promise<OutputOf<'messages.read'>>;
  exportHar(job: HarJob): Promise<{ exchanges: number; bytes: number }>;
}

/** The sessions that are open: the one that is being recorded, and others. */
export interface Sessions {
  of(id: string): ReadableSession;
  list(): Promise<SessionInfo[]>;
  open(path: string): Promise<SessionInfo>;
  close(id: string): Promise<void>;
}

export interface HarJob {
  path: string;
  selection: WithinSession<'har.export'>;
  /** Exchanges written, of those that will be. */
  onProgress: (written: number, total: number) => void;
  /** Ends the export; it then rejects, and the file is gone. */
  signal: AbortSignal;
}

/** The CA and the places that may trust it. */
export interface Trust {
  readonly ca: CaKeeper;
  status(): Promise<CaStatus>;
  /** By kinds of stores or their ids. */
  install(selectors: readonly string[]): Promise<TrustChange[]>;
  uninstall(selectors: readonly string[]): Promise<TrustChange[]>;
}

/** What goes through the proxy because it was started here, or is checked by hand. */
export interface Clients {
  launchers(): Promise<Launcher[]>;
  recipes(): Recipe[];
  list(): Client[];
  launch(input: InputOf<'clients.launch'>): Promise<Client>;
  run(input: InputOf<'clients.run'>): Client;
  readonly recent: RecentCommands;
  check(id: number | null): Promise<OutputOf<'clients.check'>>;
  remove(id: number): Promise<void>;
}

/** The proxy that the desktop tells its programs of. */
export interface SystemProxy {
  status(): Promise<SystemProxyStatus>;
  set(on: boolean): Promise<SystemProxyStatus>;
}

/** A place that a file may be written to, and what then becomes of it. */
export interface FileTarget {
  path: string;
  /** The file is complete: hands it to the user. */
  finish(size: { bytes: number; exchanges: number; note?: string | null }): Promise<SavedFile>;
  /** The file will not be: clears away what is there. */
  discard(): Promise<void>;
}

/** How a host gets a file to its user: a dialog, or a download. */
export interface FileSink {
  /** Null where the user would not have it. `extension` without the dot. */
  choose(suggestion: { name: string; extension: string; description: string }): Promise<FileTarget | null>;
}

/** Everything that the handlers work with. */
export interface HostServices {
  info: OutputOf<'app.info'>;
  recording: Recording;
  sessions: Sessions;
  settings: SettingsStore;
  proxyTester: ProxyTester;
  proxyHints(): Promise<ProxyHints>;
  trust: Trust;
  clients: Clients;
  systemProxy: SystemProxy;
  files: FileSink;
  /** Resolves with the path of a program that the user chooses, or null for none. Null: this host has no dialog. */
  chooseProgram: (() => Promise<string | null>) | null;
}
