import type { Sighting } from '../../shared/model/capture-check.ts';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { Limits } from '../../shared/model/limits.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { ExchangeObserver } from './engine-event.ts';
import type { LiveList } from './live-list.ts';
import type { Routes } from './route/routes.ts';
import type { BreakQueue } from './rules/breaks/break-queue.ts';
import type { RuleBook } from './rules/rule-book.ts';
import type { ScriptHost } from './rules/scripts/script-host.ts';
import type { Link } from './rules/throttle/link.ts';
import type { LeafCertificates } from './tls/leaf-certificates.ts';
import type { ChosenAlpn } from './upstream/chosen-alpn.ts';
import type { FailedOpening } from './upstream/connect/failed-opening.ts';
import type { EarlySocket, Way } from './upstream/connect/open-way.ts';
import type { Acquiring } from './upstream/connect/try-connecting.ts';
import type { Origin } from './upstream/origin.ts';
import type { UpstreamPool } from './upstream/pool.ts';

export interface CertificateAuthorityPems {
  certificatePem: string;
  keyPem: string;
}

/** A path to an origin, and the failed attempts before it. */
export interface TriedWay extends Way {
  failed: FailedOpening[];
  /** Of a connection that was opened for HTTP and carries another protocol. */
  info?: ConnectionInfo;
}

/** Shared by the modules of the engine: one per engine, with the current settings. */
export interface EngineContext {
  /** The current limits. A connection keeps the limits it began with. */
  readonly limits: Limits;
  readonly observer: ExchangeObserver;
  readonly pool: UpstreamPool;
  readonly leaves: LeafCertificates;
  readonly settings: Settings;
  /** The rules that are on. They apply when an exchange begins, at its response, and at its end. */
  readonly rules: RuleBook;
  /** The slow network for all traffic, unless a rule names another; null: none. */
  readonly link: Link | null;
  /** The messages that breakpoints hold. */
  readonly breaks: BreakQueue;
  readonly scripts: ScriptHost;
  /** Decides the route of each target. */
  readonly routes: Pick<Routes, 'find'>;
  readonly chosenAlpn: ChosenAlpn;
  /** Whether a connection to this address would come back to Roundtrip itself, or to its UI. */
  isOurs(host: string, port: number): boolean;
  /** Starts TCP to the origin, or to its proxy, before the protocol is known. Null: no connection will be needed. */
  openEarly(origin: Origin): EarlySocket | null;
  /**
   * Opens the raw path to the origin for a pass-through tunnel, with as many attempts as for a connection. Rejects with
   * a ConnectionError.
   */
  openWay(origin: Origin, early: EarlySocket | null, acquiring: Acquiring): Promise<TriedWay>;
  /** The CA for the page that devices get at the proxy's own address; null while only this machine can reach it. */
  readonly forDevices: CertificateAuthorityPems | null;
  /** Reports a failure of the engine itself to the terminal and the window, in addition to the affected rows. */
  report(about: Failure): void;
  /** A capture check was seen. */
  sighted(sighting: Sighting): void;
  /** Everything still open when the engine closes; it ends then. */
  readonly live: LiveList;
}
