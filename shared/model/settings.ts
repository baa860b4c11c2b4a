import * as v from 'valibot';
import { IgnoredSchema, NOTHING_IGNORED } from './compare/comparison.ts';
import { GivenLimitsSchema } from './limits.ts';
import { NO_OTLP, OtlpSettingsSchema } from './otlp/otlp.ts';
import { ReverseListenerSchema } from './proxy/reverse.ts';
import { CustomProfileSchema } from './rule/throttle.ts';
import { LastingPruneLimitsSchema, NO_PRUNING } from './session/prune-limits.ts';

const UpstreamProxySettingsSchema = v.object({
  enabled: v.boolean(),
  /**
   * `http://user:password@host:port`, or https, socks4, socks4a, socks5, socks5h; empty: none. The password never
   * leaves the host: UIs see it as `***`.
   */
  url: v.string(),
});

/** Settings for some hosts only. An empty text means that the general setting applies. */
export const HostOverrideSchema = v.object({
  /**
   * `api.corp.test`, `*.corp.test`: `*` stands for any run of characters, matched on the whole name, case-insensitive.
   */
  host: v.string(),
  /** `direct`, or a proxy's address without a password: the login for proxies is used. */
  proxy: v.string(),
  /** Connect there instead of to the address from DNS: an IP address or a name. The request still names the host. */
  address: v.string(),
  /** Sent as SNI, and checked against the certificate, in place of the name that the client sent. */
  serverName: v.string(),
  minTls: v.picklist(['', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']),
  /** A PEM file with a certificate and its key, sent to these hosts if they request one; empty: none. */
  clientCertificate: v.string(),
  /** Accept any certificate of these hosts. A warning shows while it is on. */
  skipVerification: v.boolean(),
});
export type HostOverride = v.InferOutput<typeof HostOverrideSchema>;

/** Rules that change nothing. */
export const NO_OVERRIDE: HostOverride = {
  host: '',
  proxy: '',
  address: '',
  serverName: '',
  minTls: '',
  clientCertificate: '',
  skipVerification: false,
};

/**
 * Everything a user can set, kept in `settings.json` of the data folder. Each change takes effect on the next exchange.
 */
export const SettingsSchema = v.object({
  /** Whether exchanges are recorded; traffic passes either way. */
  recording: v.boolean(),
  /** Whether TLS inside tunnels is intercepted; off: every tunnel is passed through. */
  intercept: v.boolean(),
  /**
   * Hosts never intercepted; `*` stands for any run of characters, matched on the whole host name, case-insensitive.
   */
  passthroughHosts: v.array(v.string()),
  /** HTTP/2 towards clients, and upstream. Both on: mirrored (docs/architecture.md). */
  http2Client: v.boolean(),
  http2Upstream: v.boolean(),
  /** Keep-alive pools upstream. Off: a connection for each exchange. */
  keepAlive: v.boolean(),
  /** Repeats harmless attempts: nothing was sent, upstream did not process the request, or the method is idempotent. */
  retry: v.boolean(),
  /**
   * With `retry`: an idempotent request is also sent again where the connection that was opened for it closed without a
   * response. Off by default: clients report that as an error, and have their own rules.
   */
  retryIdempotent: v.boolean(),
  /**
   * With `retry`: a refused connection is tried again although nothing has listened at that address in this session.
   * Off by default: a client without a proxy sees the refusal at once.
   */
  retryRefused: v.boolean(),
  /** Nagle's algorithm; off by default, on to measure its cost. */
  nagle: v.boolean(),
  /**
   * Keeps the engine's thread awake for 0.2 ms after each turn while one client and one upstream answer each other:
   * lower latency for a single connection, at the cost of a core. Never on battery.
   */
  busyPoll: v.boolean(),
  /** `enabled` applies to the source that `proxySource` names; the address is for `manual`. */
  upstreamProxy: UpstreamProxySettingsSchema,
  /** Source of the proxy: the address above, the system settings, a PAC file, or the PAC file that WPAD finds. */
  proxySource: v.picklist(['manual', 'system', 'pac', 'wpad']),
  /** URL or path of the PAC file; empty: none. */
  proxyPac: v.string(),
  /**
   * Hosts that go straight to their origin, regardless of where the proxy comes from; forms as curl's NO_PROXY and more
   * (docs/upstream-proxy.md).
   */
  proxyBypass: v.array(v.string()),
  /** For proxies whose address has no login. The password never leaves the host: UIs see it as `***`. */
  proxyLogin: v.object({ user: v.string(), password: v.string() }),
  /** Whether requests from other machines may go to loopback, link-local and this machine's own addresses. */
  devicesReachLocal: v.boolean(),
  /** All traffic passes as over this network: a profile's name, built in or one of `throttleProfiles`; empty: none. */
  throttle: v.string(),
  throttleProfiles: v.array(CustomProfileSchema),
  /** Addresses at which Roundtrip answers as if it were an origin. */
  reverse: v.array(ReverseListenerSchema),
  /** The first entry that matches a host applies. */
  hostOverrides: v.array(HostOverrideSchema),
  /** PEM files whose certificates are trusted upstream in addition to the system's and the bundled roots. */
  upstreamCaFiles: v.array(v.string()),
  /** PEM files whose certificates are trusted for HTTPS proxies in addition to those for upstream. */
  proxyCaFiles: v.array(v.string()),
  /** Accept any upstream certificate. */
  insecureUpstream: v.boolean(),
  /**
   * When the disk cannot keep up: `drop` keeps the traffic's speed and says what was not kept; `wait` slows the
   * traffic.
   */
  slowDisk: v.picklist(['drop', 'wait']),
  /** Limits that differ from the defaults in `limits.ts`; each applies from the next connection on. */
  limits: GivenLimitsSchema,
  /** Sessions of the data folder that Roundtrip deletes as it starts. */
  pruning: LastingPruneLimitsSchema,
  /** What a comparison of two sessions leaves out in the window. */
  compareIgnored: IgnoredSchema,
  /** Whether agents (docs/agents.md) may change traffic. Off: they only read. */
  agentsMayWrite: v.boolean(),
  /** Host names, lower case, to which agents that may change traffic may send recorded requests again. */
  agentsSendTo: v.array(v.string()),
  /** The collector that gets the exchanges (docs/tracing.md). */
  otlp: OtlpSettingsSchema,
  /** Whether the desktop app looks for newer versions once a day, if its build has a feed. */
  lookForUpdates: v.boolean(),
  theme: v.picklist(['system', 'light', 'dark']),
});
export type Settings = v.InferOutput<typeof SettingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  recording: true,
  intercept: true,
  passthroughHosts: [],
  http2Client: true,
  http2Upstream: true,
  keepAlive: true,
  retry: true,
  retryIdempotent: false,
  retryRefused: false,
  nagle: false,
  busyPoll: false,
  upstreamProxy: { enabled: false, url: '' },
  proxySource: 'manual',
  proxyPac: '',
  proxyBypass: [],
  proxyLogin: { user: '', password: '' },
  devicesReachLocal: false,
  throttle: '',
  throttleProfiles: [],
  reverse: [],
  hostOverrides: [],
  upstreamCaFiles: [],
  proxyCaFiles: [],
  insecureUpstream: false,
  slowDisk: 'drop',
  limits: {},
  pruning: NO_PRUNING,
  compareIgnored: NOTHING_IGNORED,
  agentsMayWrite: false,
  agentsSendTo: [],
  otlp: NO_OTLP,
  lookForUpdates: true,
  theme: 'system',
};
