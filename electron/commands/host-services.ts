import type { CaStatus } from '../../shared/contract/requests/ca-requests.ts';
import type { BodyRange, RowPage } from '../../shared/contract/requests/exchange-requests.ts';
import type { InputOf, OutputOf, WithinSession } from '../../shared/contract/requests.ts';
import type { SavedFile } from '../../shared/contract/saved-file.ts';
import type { Client, Launcher, Recipe } from '../../shared/model/client.ts';
import type { Comparison } from '../../shared/model/compare/comparison.ts';
import type { SessionEdit, SessionEdits } from '../../shared/model/edits/session-edits.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { LabOptions, LabProgress, LabResult } from '../../shared/model/lab/lab-result.ts';
import type { OtlpStatus } from '../../shared/model/otlp/otlp.ts';
import type { ProxyHints } from '../../shared/model/proxy/proxy-hints.ts';
import type { SystemProxyStatus } from '../../shared/model/proxy/system-proxy.ts';
import type { HeldMessage, HeldSummary, Release } from '../../shared/model/rule/held-message.ts';
import type { Trial } from '../../shared/model/rule/trial.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { TrustChange } from '../../shared/model/trust-store.ts';
import type { CompileScript } from '../rules-file/named-faults.ts';
import type { ExportTask, PreviewTask, SearchJob, TrialJob } from '../worker/recording-types.ts';
import type { ComparisonJob, Opening } from '../worker/session-calls.ts';
import type { CaKeeper } from './services/ca-keeper.ts';
import type { ProxyTester } from './services/proxy-tester.ts';
import type { RecentCommands } from './services/recent-commands.ts';
import type { ReplayService } from './services/replay/replay-service.ts';
import type { RequestStore } from './services/replay/request-store.ts';
import type { RuleStore } from './services/rule-store.ts';
import type { AgentRules } from './services/rules/agent-rules.ts';
import type { ScriptConsole } from './services/script-console.ts';
import type { SessionHome } from './services/session-home.ts';
import type { SettingsStore } from './services/settings-store.ts';

/** The engine and its recording. Each method rejects with a `RoundtripError`. */
export interface Recording {
  status(): EngineStatus;
  /** Starts or stops the feed; returns the sequence of the last batch before it started. */
  setFeedWanted(wanted: boolean): Promise<number>;
  recorded: Pick<ReadableSession, 'info' | 'opening'>;
  clearSession(): Promise<SessionInfo>;
  /** The proxy's port, and whether other machines can reach it. */
  listening(): { open: boolean; port: number };
  /** Moves the proxy to another address of this machine. */
  listenOn(host: string): Promise<void>;
}

/** A readable session. Methods reject with a `RoundtripError`, `session.not-open` once it is closed or cleared. */
export interface ReadableSession {
  info(): Promise<SessionInfo>;
  /** All that a window draws first: the last `rows` rows, with the session and its edits. */
  opening(rows: number): Promise<Opening>;
  page(input: WithinSession<'exchanges.page'>): Promise<OutputOf<'exchanges.page'>>;
  rows(input: WithinSession<'exchanges.rows'>): Promise<RowPage>;
  newest(input: WithinSession<'exchanges.newest'>): Promise<OutputOf<'exchanges.newest'>>;
  exchange(id: number): Promise<Exchange>;
  readBody(input: WithinSession<'body.read'>): Promise<BodyRange>;
  /** Writes a complete body to a file. `note`: what the file lacks, or null. */
  saveBody(save: WithinSession<'body.save'>, path: string): Promise<{ bytes: number; note: string | null }>;
  messages(input: WithinSession<'messages.page'>): Promise<OutputOf<'messages.page'>>;
  readMessage(input: WithinSession<'messages.read'>): Promise<OutputOf<'messages.read'>>;
  export(job: ExportTask): Promise<{ exchanges: number; bytes: number; note?: string | null }>;
  /** Rejects when the signal aborts. `lines`: how many there are, of which PREVIEW_LIMIT are returned. */
  previewRedaction(job: PreviewTask): Promise<Omit<OutputOf<'export.preview'>, 'stopped'>>;
  compare(job: ComparisonJob): Promise<Comparison>;
  pages(): Promise<OutputOf<'insight.pages'>>;
  connectionEnds(after: number): Promise<OutputOf<'connections.ends'>>;
  findings(): Promise<OutputOf<'insight.findings'>>;
  edits(): Promise<SessionEdits>;
  /** Rejects with `session.edit-failed`. */
  edit(edit: SessionEdit): Promise<void>;
  /** Rejects with `search.bad-filter`, or when the signal aborts. */
  search(job: SearchJob): Promise<void>;
  /** The same. */
  tryRule(job: TrialJob): Promise<Trial>;
}

/** Replays recorded pages to a browser; rejects as `runLab` does, with `lab.busy` or `lab.cancelled`. */
export interface Lab {
  run(
    source: string,
    options: LabOptions,
    onProgress: (progress: LabProgress) => void,
    signal: AbortSignal,
  ): Promise<LabResult>;
}

/** The messages that breakpoints hold. Methods reject with `rules.not-held` once the message was released. */
export interface Breaks {
  /** Whether a window shows the queue. Without one, nothing is held. */
  setWatched(watched: boolean): Promise<void>;
  list(): Promise<HeldSummary[]>;
  get(id: number): Promise<HeldMessage>;
  write(input: InputOf<'breaks.write'>): Promise<void>;
  release(id: number, release: Release): Promise<void>;
  releaseAll(): Promise<void>;
}

/** The open sessions: the recorded one and others. */
export interface Sessions {
  of(id: string): ReadableSession;
  list(): Promise<SessionInfo[]>;
  open(path: string): Promise<SessionInfo>;
  close(id: string): Promise<void>;
}

/** The CA and the certificate stores that may trust it. */
export interface Trust {
  readonly ca: CaKeeper;
  /** `selectors`: kinds or ids of the stores to probe; default: all. */
  status(selectors?: readonly string[]): Promise<CaStatus>;
  /** `selectors`: kinds of stores, or store ids. */
  install(selectors: readonly string[]): Promise<TrustChange[]>;
  uninstall(selectors: readonly string[]): Promise<TrustChange[]>;
}

/** The clients that were launched from Roundtrip or are checked manually. */
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

/** The proxy setting of the operating system or desktop. */
export interface SystemProxy {
  status(): Promise<SystemProxyStatus>;
  set(on: boolean): Promise<SystemProxyStatus>;
}

/** The place for a file, and what to do after writing it. */
export interface FileTarget {
  path: string;
  /** The file is complete: hands it to the user. */
  finish(size: { bytes: number; exchanges: number; note?: string | null }): Promise<SavedFile>;
  /** The file will not be completed: removes what was written. */
  discard(): Promise<void>;
}

/** How a host hands a file to its user: through a dialog or a download. */
export interface FileSink {
  /** Resolves with null if the user cancels. `extension`: without the dot. */
  choose(suggestion: { name: string; extension: string; description: string }): Promise<FileTarget | null>;
}

/** All services that the handlers use. */
export interface HostServices {
  info: OutputOf<'app.info'>;
  /** Starts to end the program. */
  stop: () => void;
  recording: Recording;
  sessions: Sessions;
  home: SessionHome;
  settings: SettingsStore;
  rules: RuleStore;
  agentRules: AgentRules;
  console: ScriptConsole;
  checkScript: CompileScript;
  breaks: Breaks;
  replays: ReplayService;
  requests: RequestStore;
  proxyTester: ProxyTester;
  proxyHints(): Promise<ProxyHints>;
  trust: Trust;
  clients: Clients;
  /** What was exported to the collector. */
  otlpStatus: () => OtlpStatus;
  systemProxy: SystemProxy;
  lab: Lab;
  files: FileSink;
  /** Resolves with the path of the program that the user chooses, null if cancelled. Null: this host has no dialog. */
  chooseProgram: (() => Promise<string | null>) | null;
  /**
   * Shows a file in the system's file manager. Rejects with an Error whose message is the end of a sentence. Null: this
   * host has none to show it in.
   */
  reveal: ((file: string) => Promise<void>) | null;
}
