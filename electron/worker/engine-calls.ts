import type { MessagePort } from 'node:worker_threads';
import type { FeedBatch } from '../../shared/contract/events.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { ReverseStatus } from '../../shared/model/proxy/reverse.ts';
import type { ReplayRequest, ReplayResult } from '../../shared/model/replay/replay-request.ts';
import type { HeldMessage, HeldSummary, Release } from '../../shared/model/rule/held-message.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { RuleHits } from '../../shared/model/rule/rule-state.ts';
import type { ConsoleLine } from '../../shared/model/rule/script.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import type { ReplayBodySource } from './replay/running-replays.ts';

/** `workerData` of the engine thread. */
export interface EngineThreadData {
  /** Port of the writer thread: bodies go there directly, without passing through the host's thread. */
  writer: MessagePort;
  /** The folder of the threads' bundles. */
  threadFolder: string;
  /** Memory of the `Tally` that counts the engine's exchanges. */
  tally: SharedArrayBuffer;
}

export interface EngineStart {
  host: string;
  /** 0 picks a free port. */
  port: number;
  settings: Settings;
  /** Applied from the first exchange on. */
  rules: RuleList;
  proxyFacts: ProxyFacts;
  certificates: { certificatePem: string; keyPem: string; leafFolder: string };
  /** `host:port` of our own UI, which the proxy refuses to connect to. */
  refusedAuthorities: string[];
}

export interface EngineStarted {
  host: string;
  port: number;
}

/** Calls about held messages: the methods of `BreakQueue`. */
export type BreakCalls = {
  /** Breakpoints hold messages only while a window can release them. */
  watchBreaks: { input: boolean; output: null };
  listHeld: { input: null; output: HeldSummary[] };
  getHeld: { input: number; output: HeldMessage };
  writeHeld: { input: { id: number; offset: number; part: Uint8Array }; output: null };
  releaseHeld: { input: { id: number; release: Release }; output: null };
  releaseAllHeld: { input: null; output: null };
};

/** Calls to the engine thread. */
export type EngineCalls = BreakCalls & {
  /** Rejects with `engine.port-in-use`, `engine.listen-failed` or `session.open-failed`. */
  start: { input: EngineStart; output: EngineStarted };
  apply: { input: Settings; output: null };
  /** `Engine.applyRules`. */
  rules: { input: RuleList; output: null };
  /** What the host has read about proxies since the start. */
  proxyFacts: { input: ProxyFacts; output: null };
  /** Signs leaf certificates with this CA from now on. */
  certificates: { input: { certificatePem: string; keyPem: string }; output: null };
  /** Rejects with `proxy.bad-address` or `settings.invalid`. */
  testProxy: { input: RouteTest; output: ProxyTest };
  /** `Engine.openProgramPort`; returns the port. */
  openProgramPort: { input: { token: string; port: number }; output: number };
  /**
   * `Engine.replay`; returns when the exchange has begun. `replayEnd` must follow. Rejects with `replay.bad-request`.
   */
  replay: { input: { request: ReplayRequest; body: ReplayBodySource }; output: { exchange: number } };
  /** Resolves when that exchange has ended. */
  replayEnd: { input: { exchange: number }; output: ReplayResult };
  /** `Engine.resumed`. */
  resumed: { input: null; output: null };
  /** The writer died; its replacement listens on this port. The port is transferred. */
  writer: { input: MessagePort; output: null };
  /** Starts or stops the feed. */
  feed: { input: boolean; output: null };
  /** Resolves when everything that happened so far is in the session file. `empty`: as `Recorder.emptySession`. */
  flush: { input: null; output: { empty: string | null } };
  clear: { input: null; output: null };
  /** Stops accepting connections, gives exchanges `graceMs` to end, writes the rest and closes the session file. */
  stop: { input: { graceMs: number }; output: null };
};

export interface EngineVitals {
  clientConnections: number;
  upstreamConnections: number;
  bytesNotKept: number;
  ruleHits: RuleHits[];
}

/** What the engine thread reports without a call. */
export type EngineNotice =
  | { kind: 'feed'; batch: FeedBatch }
  | { kind: 'vitals'; vitals: EngineVitals }
  | { kind: 'sighting'; sighting: Sighting }
  /** A script of a rule wrote a line, or failed. */
  | { kind: 'console'; line: Omit<ConsoleLine, 'id'> }
  /** All messages that breakpoints hold, when they have changed. */
  | { kind: 'breaks'; messages: HeldSummary[] }
  /** Why the session file cannot be written; null: it can be written again. */
  | { kind: 'recording'; failure: Failure | null }
  /** The session continues in the file at `path`; `whole`: with all that was recorded before. */
  | { kind: 'moved'; path: string; failure: Failure; whole: boolean }
  | { kind: 'reverse'; listeners: ReverseStatus[] }
  /** For the list of failures. */
  | { kind: 'failure'; failure: Failure };
