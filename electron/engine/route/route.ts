import type { HostOverride } from '../../../shared/model/settings.ts';
import type { UpstreamProxy } from '../upstream/proxy/upstream-proxy.ts';

/** The route chosen for a target, and why. */
export interface Route {
  /** Null: directly to the origin. */
  readonly proxy: UpstreamProxy | null;
  /** Alternatives to try, in order, if the first can't be reached. */
  readonly others: readonly (UpstreamProxy | null)[];
  /** Shown to the user. */
  readonly reason: string;
  /** Settings for this host only, or null. */
  readonly override: HostOverride | null;
}

export interface RouteTarget {
  scheme: 'http' | 'https';
  host: string;
  port: number;
}
