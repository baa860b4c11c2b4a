import * as v from 'valibot';
import { ClientSchema, LauncherSchema, RecentCommandSchema, RecipeSchema } from '../model/client.ts';
import { ComparisonSchema, IgnoredSchema } from '../model/compare/comparison.ts';
import { SessionEditSchema, SessionEditsSchema } from '../model/edits/session-edits.ts';
import { EngineStatusSchema } from '../model/engine-status.ts';
import { ExchangeSchema } from '../model/exchange.ts';
import { ExchangeSummarySchema } from '../model/exchange-summary.ts';
import { FailureSchema } from '../model/failure.ts';
import { FindingSchema } from '../model/insight/finding.ts';
import { PageSchema } from '../model/insight/page.ts';
import { LabOptionsSchema, LabResultSchema } from '../model/lab/lab-result.ts';
import { OtlpStatusSchema } from '../model/otlp/otlp.ts';
import { ProxyHintsSchema } from '../model/proxy/proxy-hints.ts';
import { ProxyTestSchema } from '../model/proxy/proxy-test.ts';
import { SystemProxyStatusSchema } from '../model/proxy/system-proxy.ts';
import { ComposedRequestSchema, RepeatPaceSchema } from '../model/replay/composed-request.ts';
import { SavedRequestStateSchema, SavedRequestsSchema } from '../model/replay/saved-requests.ts';
import { HeldMessageSchema, HeldSummarySchema, ReleaseSchema } from '../model/rule/held-message.ts';
import { RuleListSchema, RuleSchema } from '../model/rule/rule.ts';
import { RuleStateSchema } from '../model/rule/rule-state.ts';
import { ConsoleLineSchema } from '../model/rule/script.ts';
import { SessionInfoSchema } from '../model/session-info.ts';
import { SettingsSchema } from '../model/settings.ts';
import { StreamMessageSchema } from '../model/stream-message.ts';
import { CertificateInfoSchema } from '../model/tls-info.ts';
import { StoreSelectorSchema, TrustChangeSchema, TrustStoreStatusSchema } from '../model/trust-store.ts';
import { EXPORT_REQUESTS } from './export-requests.ts';
import { SavedFileSchema } from './saved-file.ts';
import { SESSION_HOME_REQUESTS } from './session-home-requests.ts';

const Nothing = v.strictObject({});
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The largest file of rules that a window imports, UTF-16 units: well below the limit of a message. */
export const IMPORT_LIMIT = 128 * 1024;
/** The longest range of a body that one request may ask for, bytes. */
export const BODY_RANGE_LIMIT = 1024 * 1024;
/** The longest part of an edited body in one request, base64 characters: well below the limit of a message. */
export const BREAK_PART_LIMIT = 128 * 1024;
/** The most messages that one request may ask for. */
export const MESSAGE_PAGE_LIMIT = 500;
/** The most rows of the list that one request may ask for. */
export const PAGE_LIMIT = 5000;

/** The most entries of each list of a comparison. */
export const COMPARISON_LIMIT = 5000;

export const BodyRangeSchema = v.object({
  /** The requested bytes, base64; fewer than requested at the end of the body. */
  data: v.string(),
  /** Bytes that can be read in this form; for `decoded`, the bytes decoded so far, at most the host's cap. */
  size: v.number(),
  /** True if `size` is the whole body; false if the body was cut short, not kept whole, or over the decoder's cap. */
  complete: v.boolean(),
  /** The content codings undone, outermost first: `['br']`. */
  codings: v.array(v.string()),
  /** Why decoding failed, one sentence; null if it succeeded. The raw form can still be read. */
  problem: v.nullable(v.string()),
});
export type BodyRange = v.InferOutput<typeof BodyRangeSchema>;

export const CaStatusSchema = v.object({
  certificate: CertificateInfoSchema,
  /** The PEM file that programs can be pointed at. */
  path: v.string(),
  /** `replace`: the user's own CA, close to expiry, which only the user can renew. */
  life: v.picklist(['fresh', 'renew', 'replace']),
  /** What the user needs to know about it: renewed, close to expiry, changed on disk. */
  notices: v.array(FailureSchema),
  stores: v.array(TrustStoreStatusSchema),
});
export type CaStatus = v.InferOutput<typeof CaStatusSchema>;

const Stores = v.strictObject({ stores: v.array(StoreSelectorSchema) });
const StoresChanged = v.object({ changes: v.array(TrustChangeSchema), status: CaStatusSchema });
/** Base64 of a key, a certificate, or both; together well below the limit of a message. */
const CaFile = v.pipe(v.string(), v.maxLength(96 * 1024), v.base64());
const Passphrase = v.pipe(v.string(), v.maxLength(1024));

/** `urls`: pages with setup instructions for a device; empty while the proxy is not open to devices. */
const DevicesSchema = v.object({ open: v.boolean(), urls: v.array(v.string()) });

/**
 * Which session a request is about: the `id` of its SessionInfo. One that is not open is refused with
 * `session.not-open`.
 */
const Session = v.pipe(v.string(), v.maxLength(64));

const HarSelection = v.strictObject({
  session: Session,
  /** A query of shared/filter; empty: everything. */
  query: v.string(),
  /** Milliseconds since the Unix epoch: only exchanges that started within, or null. */
  window: v.nullable(v.strictObject({ from: v.number(), to: v.number() })),
  /** Leaves out cookies, authorization and the values that field notes call secret. */
  redact: v.boolean(),
});

/** A recorded exchange whose request is sent. */
const ReplayOriginal = v.strictObject({ session: Session, exchange: Count });

/** Every request that a window can send to its host, with the schemas of its input and output. */
/** `canChoose`: this host has a dialog for `commands.choose`. */
const RecentSchema = v.object({ commands: v.array(RecentCommandSchema), canChoose: v.boolean() });

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
  'engine.status': { input: Nothing, output: EngineStatusSchema },
  /** Starts the feed towards this window. Subscribe first, then read pages: docs/architecture.md, "The feed". */
  'feed.subscribe': {
    input: Nothing,
    /** `at`: the host's time, milliseconds since the Unix epoch. */
    output: v.object({ session: SessionInfoSchema, sequence: Count, at: v.number() }),
  },
  'feed.unsubscribe': { input: Nothing, output: Nothing },
  'exchanges.page': {
    /** Rows with an id above `after`, ascending. */
    input: v.strictObject({
      session: Session,
      after: Count,
      limit: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)),
    }),
    output: v.object({ rows: v.array(ExchangeSummarySchema), more: v.boolean() }),
  },
  /** The last rows, ascending: a window shows them before it reads all pages. */
  'exchanges.newest': {
    input: v.strictObject({ session: Session, limit: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)) }),
    output: v.object({ rows: v.array(ExchangeSummarySchema) }),
  },
  'exchanges.get': { input: v.strictObject({ session: Session, id: Count }), output: ExchangeSchema },
  'body.read': {
    input: v.strictObject({
      session: Session,
      id: Count,
      side: v.picklist(['request', 'response']),
      /** `decoded`: content codings undone. `raw`: as received. */
      form: v.picklist(['decoded', 'raw']),
      offset: Count,
      length: v.pipe(Count, v.minValue(1), v.maxValue(BODY_RANGE_LIMIT)),
    }),
    output: BodyRangeSchema,
  },
  /** Saves a body to a file, as much of it as was kept. */
  'body.save': {
    input: v.strictObject({
      session: Session,
      id: Count,
      side: v.picklist(['request', 'response']),
      form: v.picklist(['decoded', 'raw']),
    }),
    output: SavedFileSchema,
  },
  /** WebSocket messages and server-sent events, ascending from the ordinal `from` on; `total`: the current count. */
  'messages.page': {
    input: v.strictObject({
      session: Session,
      id: Count,
      from: Count,
      limit: v.pipe(Count, v.minValue(1), v.maxValue(MESSAGE_PAGE_LIMIT)),
    }),
    output: v.object({ messages: v.array(StreamMessageSchema), total: Count }),
  },
  /** One message's payload: its first MiB, base64. `complete`: this is the whole payload. */
  'messages.read': {
    input: v.strictObject({ session: Session, id: Count, ordinal: Count }),
    output: v.object({ data: v.string(), size: v.number(), complete: v.boolean(), problem: v.nullable(v.string()) }),
  },
  'settings.get': { input: Nothing, output: SettingsSchema },
  /** Changes any of the settings; returns all of them. An upstream proxy's password sent as `***` is left unchanged. */
  'settings.update': { input: v.partial(v.strictObject(SettingsSchema.entries)), output: SettingsSchema },
  /** What was exported to the collector of the settings. */
  'otlp.status': { input: Nothing, output: OtlpStatusSchema },
  'rules.get': { input: Nothing, output: RuleStateSchema },
  /**
   * The rules in the text of another program's file, which are not in use yet, and a line for each item without an
   * equivalent. Refused with `rules.not-importable`.
   */
  'rules.import': {
    input: v.strictObject({
      name: v.pipe(v.string(), v.maxLength(255)),
      text: v.pipe(v.string(), v.maxLength(IMPORT_LIMIT)),
    }),
    output: v.object({ rules: v.array(RuleSchema), skipped: v.array(v.string()) }),
  },
  /**
   * Replaces all rules, and writes them to their file. Refused with `rules.refused`, with `rules.changed-on-disk` if
   * the file is no longer the one last reported, with the file's failure if it has faults, or with
   * `rules.write-failed`.
   */
  'rules.update': { input: v.strictObject({ rules: RuleListSchema }), output: RuleStateSchema },
  /** What the scripts of rules wrote last, oldest line first. */
  'console.read': { input: Nothing, output: v.object({ lines: v.array(ConsoleLineSchema) }) },
  'console.clear': { input: Nothing, output: Nothing },
  /**
   * The messages that breakpoints hold, oldest first. From now on they hold messages, as long as this window is there: it
   * can release them.
   */
  'breaks.list': { input: Nothing, output: v.object({ messages: v.array(HeldSummarySchema) }) },
  /** Refused with `rules.not-held` once the message has gone on, as the next two are. */
  'breaks.get': { input: v.strictObject({ id: Count }), output: HeldMessageSchema },
  /**
   * Writes a part of the edited body, decoded, for a release with the body `written`. Parts come in order; `offset` 0
   * begins anew. Refused with `rules.release-refused` over `HELD_BODY_LIMIT`.
   */
  'breaks.write': {
    input: v.strictObject({
      id: Count,
      offset: Count,
      data: v.pipe(v.string(), v.maxLength(BREAK_PART_LIMIT), v.base64()),
    }),
    output: Nothing,
  },
  /** Lets a message go on. Refused with `rules.release-refused`; the message is then still held. */
  'breaks.release': { input: v.strictObject({ id: Count, release: ReleaseSchema }), output: Nothing },
  /** Lets all messages go on unchanged. */
  'breaks.release-all': { input: Nothing, output: Nothing },
  /**
   * Sends a recorded request once more, as it was; returns the id of the new exchange, in the recorded session. Refused
   * with `replay.not-a-request`, `replay.body-not-kept` or `replay.body-cut-short`.
   */
  'replay.resend': { input: ReplayOriginal, output: v.object({ exchange: Count }) },
  /**
   * Sends a written request, likewise. `of`: the exchange that was edited, or null. Also refused with
   * `replay.bad-request` or `replay.unknown-variables`.
   */
  'replay.send': {
    input: v.strictObject({ of: v.nullable(ReplayOriginal), request: ComposedRequestSchema }),
    output: v.object({ exchange: Count }),
  },
  /**
   * Sends a request repeatedly; `request`: null for the recorded one. `replay.progress` reports it under the number
   * `run`. A window has one repetition at a time.
   */
  'replay.repeat': {
    input: v.strictObject({
      run: Count,
      of: ReplayOriginal,
      request: v.nullable(ComposedRequestSchema),
      pace: RepeatPaceSchema,
    }),
    output: Nothing,
  },
  /** Sends no further request of this window's repetition; those under way still end. */
  'replay.stop': { input: Nothing, output: Nothing },
  /** The saved requests and their variables, as their file holds them now. */
  'requests.get': { input: Nothing, output: SavedRequestStateSchema },
  /** Replaces all. Refused with `requests.unreadable`, `requests.changed-on-disk` or `requests.write-failed`. */
  'requests.update': { input: v.strictObject({ saved: SavedRequestsSchema }), output: SavedRequestStateSchema },
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
  /** The session that is being recorded first, then those that were opened, in that order. */
  'sessions.list': { input: Nothing, output: v.object({ sessions: v.array(SessionInfoSchema) }) },
  /** Opens a session file to read, beside the one that is being recorded. `path`: on the host's machine. */
  'sessions.open': { input: v.strictObject({ path: v.pipe(v.string(), v.minLength(1)) }), output: SessionInfoSchema },
  ...SESSION_HOME_REQUESTS,
  /** Not the one that is being recorded. */
  'sessions.close': { input: v.strictObject({ session: Session }), output: Nothing },
  /**
   * Compares `session` with `other`, the later one; lists have at most COMPARISON_LIMIT entries. Rejects with
   * `compare.bad-filter`.
   */
  'sessions.compare': {
    input: v.strictObject({ session: Session, other: Session, ignored: IgnoredSchema }),
    output: ComparisonSchema,
  },
  'session.edits': { input: v.strictObject({ session: Session }), output: SessionEditsSchema },
  /** Hides, restores or marks rows; windows receive `session.edited`. Rejects with `session.edit-failed`. */
  'session.edit': { input: v.strictObject({ session: Session, edit: SessionEditSchema }), output: Nothing },
  /**
   * What is slow, wasteful or wrong in a session so far, the worst first: at most FINDINGS_LIMIT findings, each with at
   * most FINDING_ROWS_LIMIT ids. `total`: how many findings there are.
   */
  'insight.findings': {
    input: v.strictObject({ session: Session }),
    output: v.object({ findings: v.array(FindingSchema), total: Count }),
  },
  /** The latest pages of a session, at most PAGES_LIMIT, each with at most FINDING_ROWS_LIMIT exchanges. */
  'insight.pages': { input: v.strictObject({ session: Session }), output: v.object({ pages: v.array(PageSchema) }) },
  /**
   * Searches recorded content by a query of shared/filter; `search.progress` carries what is found. Ends the window's
   * search before. Returns when the search is over, or with `stopped`. `search`: chosen by the window, named in each
   * progress. Rejects with `search.bad-filter`.
   */
  'search.start': {
    input: v.strictObject({ session: Session, query: v.pipe(v.string(), v.maxLength(10_000)), search: Count }),
    output: v.object({ stopped: v.boolean() }),
  },
  'search.stop': { input: Nothing, output: Nothing },
  /** Empties the session that is being recorded. It then has a new id. */
  'session.clear': { input: v.strictObject({ session: Session }), output: SessionInfoSchema },
  ...EXPORT_REQUESTS,
  /** `session.export` of a HAR. */
  'har.export': { input: HarSelection, output: SavedFileSchema },
  /** Replays a page of the session to a browser of the host's machine; `lab.progress` says how far it is. */
  'lab.run': { input: v.strictObject({ session: Session, options: LabOptionsSchema }), output: LabResultSchema },
  /** Ends this window's run, which then rejects with `lab.cancelled`. */
  'lab.cancel': { input: Nothing, output: Nothing },
  /** Ends this window's export, whatever its format. */
  'har.cancel': { input: Nothing, output: Nothing },
  'ca.status': { input: Nothing, output: CaStatusSchema },
  /** `p12` holds the private key and requires a passphrase; the other forms are the certificate alone. */
  'ca.export': {
    input: v.strictObject({ form: v.picklist(['pem', 'der', 'p12', 'android', 'ios']), passphrase: Passphrase }),
    output: SavedFileSchema,
  },
  'ca.install': { input: Stores, output: StoresChanged },
  /** Also removes our earlier CAs. */
  'ca.uninstall': { input: Stores, output: StoresChanged },
  /** A new certificate for the same key. */
  'ca.renew': { input: Nothing, output: CaStatusSchema },
  /** A new key and certificate. Clients must trust the new certificate. */
  'ca.rotate': { input: Nothing, output: CaStatusSchema },
  /** The user's own CA: PEM files (key and certificate, together or apart) or one PKCS#12. */
  'ca.import': {
    input: v.strictObject({
      files: v.pipe(v.array(CaFile), v.minLength(1), v.maxLength(2)),
      passphrase: Passphrase,
    }),
    output: CaStatusSchema,
  },
  'launchers.list': {
    input: Nothing,
    output: v.object({ launchers: v.array(LauncherSchema), recipes: v.array(RecipeSchema) }),
  },
  'system-proxy.status': { input: Nothing, output: SystemProxyStatusSchema },
  /** The previous setting is saved on disk, and restored when this is turned off, on exit, or after a crash. */
  'system-proxy.set': { input: v.strictObject({ on: v.boolean() }), output: SystemProxyStatusSchema },
  'devices.status': { input: Nothing, output: DevicesSchema },
  /** Whether other machines on the network can reach the proxy; not remembered. Changing it restarts connections. */
  'devices.set': { input: v.strictObject({ open: v.boolean() }), output: DevicesSchema },
  'clients.list': { input: Nothing, output: v.object({ clients: v.array(ClientSchema) }) },
  /**
   * Starts it, set up for this proxy and trusting our CA; nothing else is touched. `url`: null, or where a browser goes
   * once it is checked.
   */
  'clients.launch': {
    input: v.strictObject({ launcher: v.string(), url: v.nullable(v.string()) }),
    output: ClientSchema,
  },
  /**
   * Opens a terminal that shows the command, set up for this proxy, and runs it once its user presses Enter there. As
   * `electron` it also gets the switches by which Chromium takes a proxy and our CA; it may be the path of an app.
   */
  'clients.run': { input: RecentCommandSchema, output: ClientSchema },
  /** Commands run so far, most recent first. */
  'commands.recent': { input: Nothing, output: RecentSchema },
  'commands.forget': { input: RecentCommandSchema, output: RecentSchema },
  /** Lets the user choose a program; returns it as a command line, or null if none was chosen. */
  'commands.choose': {
    input: v.strictObject({ as: RecentCommandSchema.entries.as }),
    output: v.object({ command: v.nullable(v.string()) }),
  },
  /** Checks a client again; null: one that its user opens `url` in. */
  'clients.check': {
    input: v.strictObject({ id: v.nullable(Count) }),
    output: v.object({ client: ClientSchema, url: v.string(), opened: v.boolean() }),
  },
  /** Ends the client if it was started here, and forgets it. */
  'clients.remove': { input: v.strictObject({ id: Count }), output: Nothing },
} as const;

export type RequestName = keyof typeof REQUESTS;
export type InputOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['input']>;
/** The input of a request without its session. */
export type WithinSession<N extends RequestName> = Omit<InputOf<N>, 'session'>;
export type OutputOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['output']>;
