import * as v from 'valibot';
import { SessionEditsSchema } from '../model/edits/session-edits.ts';
import { EngineStatusSchema } from '../model/engine-status.ts';
import { OtlpStatusSchema } from '../model/otlp/otlp.ts';
import { ProxyHintsSchema } from '../model/proxy/proxy-hints.ts';
import { ProxyTestSchema } from '../model/proxy/proxy-test.ts';
import { SessionInfoSchema } from '../model/session-info.ts';
import { SettingsSchema } from '../model/settings.ts';
import { CA_REQUESTS } from './requests/ca-requests.ts';
import { CLIENT_REQUESTS } from './requests/client-requests.ts';
import { EXCHANGE_REQUESTS, PAGE_LIMIT, RowPageSchema } from './requests/exchange-requests.ts';
import { EXPORT_REQUESTS } from './requests/export-requests.ts';
import { INSIGHT_REQUESTS } from './requests/insight-requests.ts';
import { REPLAY_REQUESTS } from './requests/replay-requests.ts';
import { Count, Nothing } from './requests/request-parts.ts';
import { RULE_REQUESTS } from './requests/rule-requests.ts';
import { SESSION_HOME_REQUESTS } from './requests/session-home-requests.ts';
import { SESSION_REQUESTS } from './requests/session-requests.ts';

/** Every request that a window can send to its host, with the schemas of its input and output. */
export const REQUESTS = {
  'app.info': {
    input: Nothing,
    output: v.object({
      version: v.string(),
      host: v.picklist(['electron', 'headless']),
      /** Node's `process.platform`. */
      platform: v.string(),
      dataFolder: v.string(),
    }),
  },
  /** Ends Roundtrip as a signal or the menu would: recordings are finished, and the connection closes. */
  'app.stop': { input: Nothing, output: Nothing },
  /** Where the proxy and its reverse listeners listen (`reverse`: each as given, with its address), and its state. */
  'engine.status': { input: Nothing, output: EngineStatusSchema },
  /** Starts the feed to this window. Subscribe first, then read pages: docs/architecture.md, "The feed". */
  'feed.subscribe': {
    input: Nothing,
    /** `at`: the host's time, milliseconds since the Unix epoch. */
    output: v.object({ session: SessionInfoSchema, sequence: Count, at: v.number() }),
  },
  /** The same for windows, with all that they draw first: `newest` is what `exchanges.rows` returns for `rows` rows. */
  'feed.open': {
    input: v.strictObject({ rows: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)) }),
    output: v.object({
      session: SessionInfoSchema,
      sequence: Count,
      at: v.number(),
      edits: SessionEditsSchema,
      newest: RowPageSchema,
    }),
  },
  'feed.unsubscribe': { input: Nothing, output: Nothing },
  ...EXCHANGE_REQUESTS,
  'settings.get': { input: Nothing, output: SettingsSchema },
  /** Changes any of the settings; returns all of them. An upstream proxy's password sent as `***` is left unchanged. */
  'settings.update': { input: v.partial(v.strictObject(SettingsSchema.entries)), output: SettingsSchema },
  /** What was exported to the configured collector. */
  'otlp.status': { input: Nothing, output: OtlpStatusSchema },
  ...RULE_REQUESTS,
  ...REPLAY_REQUESTS,
  /**
   * Tests the upstream route that these settings, merged over the current ones, choose for `target` (`host:port`):
   * opens a tunnel and closes it again. A password sent as `***` stands for the stored one.
   */
  'proxy.test': {
    input: v.strictObject({
      settings: v.partial(v.strictObject(SettingsSchema.entries)),
      target: v.pipe(v.string(), v.regex(/^[^\s/@]+:\d{1,5}$/)),
    }),
    output: ProxyTestSchema,
  },
  /** Proxies that this machine and its network name. Connects to nothing and fetches nothing; only looks up names. */
  'proxy.hints': { input: Nothing, output: ProxyHintsSchema },
  ...SESSION_REQUESTS,
  ...SESSION_HOME_REQUESTS,
  ...INSIGHT_REQUESTS,
  ...EXPORT_REQUESTS,
  ...CA_REQUESTS,
  ...CLIENT_REQUESTS,
} as const;

export type RequestName = keyof typeof REQUESTS;
export type InputOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['input']>;
/** The input of a request without its session. */
export type WithinSession<N extends RequestName> = Omit<InputOf<N>, 'session'>;
export type OutputOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['output']>;
/** An output as a host sends it, which may differ from the form that a window uses. */
export type ReplyOf<N extends RequestName> = OutputOf<N> | v.InferInput<(typeof REQUESTS)[N]['output']>;
