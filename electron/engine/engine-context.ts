import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { Limits } from '../../shared/model/limits.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { ExchangeObserver } from './engine-event.ts';
import type { LiveList } from './live-list.ts';
import type { Routes } from './route/routes.ts';
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

/** A way to an origin, and the tries before it. */
export interface TriedWay extends Way {
  failed: FailedOpening[];
}

/** What the rooms of the engine share: one for each engine, settings as they are now. */
export interface EngineContext {
  /** As they are now: what a connection began with stays its own. */
  readonly limits: Limits;
  readonly observer: ExchangeObserver;
  readonly pool: UpstreamPool;
  readonly leaves: LeafCertificates;
  readonly settings: Settings;
  /** Decides the way upstream of each target. */
  readonly routes: Routes;
  readonly chosenAlpn: ChosenAlpn;
  /** Whether a connection there would come back to Roundtrip itself, or to its UI. */
  isOurs(host: string, port: number): boolean;
  /** TCP to the origin, or to the proxy before it, begun before it is known what will be spoken. Null: none will be needed. */
  openEarly(origin: Origin): EarlySocket | null;
  /** The raw way to the origin for a tunnel that is passed through, tried as often as a connection is. Rejects with a ConnectionError. */
  openWay(origin: Origin, early: EarlySocket | null, acquiring: Acquiring): Promise<TriedWay>;
  /** The CA for the page that devices get at the proxy's own address; null while only this machine can reach it. */
  readonly forDevices: CertificateAuthorityPems | null;
  /** A line about the engine itself, for the terminal and the window: beside the rows of what it concerns. */
  report(about: Failure): void;
  /** A capture check was seen. */
  sighted(sighting: Sighting): void;
  /** Ends an exchange's life with the engine's: what is still open when it closes. */
  readonly live: LiveList;
}
