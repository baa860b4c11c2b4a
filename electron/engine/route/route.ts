import type { HostOverride } from '../../../shared/model/settings.ts';
import type { UpstreamProxy } from '../upstream/proxy/upstream-proxy.ts';

/** The way chosen for a target, and why. */
export interface Route {
  /** Null: straight to the origin. */
  readonly proxy: UpstreamProxy | null;
  /** What is tried, in order, where the first cannot be reached. */
  readonly others: readonly (UpstreamProxy | null)[];
  /** For a person. */
  readonly reason: string;
  /** The settings of this host alone, or null. */
  readonly override: HostOverride | null;
}

export interface RouteTarget {
  scheme: 'http' | 'https';
  host: string;
  port: number;
}
