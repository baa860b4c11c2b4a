import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';

/** The system's proxy settings. Addresses as it has them; null: none. */
export const SystemProxySchema = v.object({
  /** Where it was found, in words: `GNOME's network settings`, `environment variables`. */
  from: v.string(),
  /** For http:// and for https:// URLs. */
  http: v.nullable(v.string()),
  https: v.nullable(v.string()),
  /** For all other URLs: a SOCKS proxy, or ALL_PROXY. */
  other: v.nullable(v.string()),
  /** Hosts that are reached without a proxy; forms as in engine/route/bypass.ts. */
  bypass: v.array(v.string()),
  /** The URL of a PAC file, which then decides; null: none. */
  pac: v.nullable(v.string()),
});
export type SystemProxy = v.InferOutput<typeof SystemProxySchema>;

/** What the host has read for the engine, which reads neither system settings nor URLs. */
export const ProxyFactsSchema = v.object({
  /** Null if it was not read: the settings do not need it. */
  system: v.nullable(SystemProxySchema),
  /** The PAC script in use and its source. */
  pac: v.nullable(v.object({ from: v.string(), script: v.string() })),
  /** Why the PAC file, or the system's settings, could not be read. */
  problem: v.nullable(FailureSchema),
});
export type ProxyFacts = v.InferOutput<typeof ProxyFactsSchema>;

export const NO_PROXY_FACTS: ProxyFacts = { system: null, pac: null, problem: null };
