import type { MessagePort } from 'node:worker_threads';
import type { FeedBatch } from '../../shared/contract/events.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { RouteTest } from '../engine/route/test-route.ts';

/** What the engine's thread is born with. */
export interface EngineThreadData {
  /** The way to the writer's thread: bodies pass there without touching the host's thread. */
  writer: MessagePort;
  /** Where the threads' bundles are. */
  threadFolder: string;
  /** Of the `Tally` that counts its exchanges. */
  tally: SharedArrayBuffer;
}

export interface EngineStart {
  host: string;
  /** 0 takes a free one. */
  port: number;
  settings: Settings;
  proxyFacts: ProxyFacts;
  certificates: { certificatePem: string; keyPem: string; leafFolder: string };
  /** `host:port` of our own UI, which the proxy refuses to connect to. */
  refusedAuthorities: string[];
}

export interface EngineStarted {
  host: string;
  port: number;
}

/** What may be asked of the engine's thread. */
export type EngineCalls = {
  /** Rejects with `engine.port-in-use`, `engine.listen-failed` or `session.open-failed`. */
  start: { input: EngineStart; output: EngineStarted };
  apply: { input: Settings; output: null };
  /** What the host found out about proxies since. */
  proxyFacts: { input: ProxyFacts; output: null };
  /** Leaves are signed by this CA from now on. */
  certificates: { input: { certificatePem: string; keyPem: string }; output: null };
  /** Rejects with `proxy.bad-address` or `settings.invalid`. */
  testProxy: { input: RouteTest; output: ProxyTest };
  /** `Engine.openProgramPort`; answers with the port. */
  openProgramPort: { input: { token: string; port: number }; output: number };
  /** The writer died, and another one listens at this port. It is transferred. */
  writer: { input: MessagePort; output: null };
  /** Begins or ends the feed. */
  feed: { input: boolean; output: null };
  /** Answers when everything that happened so far is in the session file. */
  flush: { input: null; output: null };
  clear: { input: null; output: null };
  /** Stops accepting, gives exchanges `graceMs` to end, writes what is left and closes the session file. */
  stop: { input: { graceMs: number }; output: null };
};

export interface EngineVitals {
  clientConnections: number;
  upstreamConnections: number;
  bytesNotKept: number;
}

/** What it says unasked. */
export type EngineNotice =
  | { kind: 'feed'; batch: FeedBatch }
  | { kind: 'vitals'; vitals: EngineVitals }
  | { kind: 'sighting'; sighting: Sighting }
  /** The session file cannot be written, and why; null: it can again. */
  | { kind: 'recording'; failure: Failure | null }
  /** The session goes on in the file at `path`. */
  | { kind: 'moved'; path: string; failure: Failure }
  /** Worth a line. */
  | { kind: 'failure'; failure: Failure };
