import * as v from 'valibot';
import { ClientSchema } from '../model/client.ts';
import { EngineStatusSchema } from '../model/engine-status.ts';
import { LabProgressSchema } from '../model/lab/lab-result.ts';
import { SystemProxyStatusSchema } from '../model/proxy/system-proxy.ts';
import { RepeatResultSchema } from '../model/replay/composed-request.ts';
import { HeldSummarySchema } from '../model/rule/held-message.ts';
import { RuleStateSchema } from '../model/rule/rule-state.ts';
import { ConsoleLineSchema } from '../model/rule/script.ts';
import { SessionInfoSchema } from '../model/session-info.ts';
import { SettingsSchema } from '../model/settings.ts';
import { goodRows, RowTextSchema } from './row-text.ts';

/**
 * Changes since the previous batch. Rows are complete: applying a row twice, or an older one late, does no harm.
 *
 * The engine's thread creates their text, once.
 */
export const FeedBatchSchema = v.pipe(
  v.object({
    /** The session that the rows belong to; a batch of another session is dropped. */
    sessionId: v.string(),
    /** Increments by one; a gap means that batches were lost, and the window reads pages again. */
    sequence: v.number(),
    /** The host's time when it was sent, milliseconds since the Unix epoch. The age of open exchanges counts by it. */
    at: v.number(),
    /** JSON: an array of `SummaryRow`. */
    rows: RowTextSchema,
  }),
  v.transform(({ rows, ...batch }) => ({ ...batch, ...goodRows(rows) })),
);
/** The form in which a host sends it. */
export type FeedBatch = v.InferInput<typeof FeedBatchSchema>;

/** All events that a host sends to its windows. */
export const EVENTS = {
  'feed.batch': FeedBatchSchema,
  /** Another session is being recorded: discard the previous session's rows, and subscribe again. */
  'session.changed': SessionInfoSchema,
  /** All open sessions after one was opened or closed, as `sessions.list` returns them. */
  'sessions.changed': v.object({ sessions: v.array(SessionInfoSchema) }),
  'settings.changed': SettingsSchema,
  /** The rules, or the faults of their file, have changed. */
  'rules.changed': RuleStateSchema,
  /** New lines of the console of scripts. */
  'console.lines': v.object({ lines: v.array(ConsoleLineSchema) }),
  /** All messages that breakpoints hold, oldest first, at each change of one. */
  'breaks.changed': v.object({ messages: v.array(HeldSummarySchema) }),
  'engine.status': EngineStatusSchema,
  /** All of them, at each change of one. */
  'clients.changed': v.object({ clients: v.array(ClientSchema) }),
  'system-proxy.changed': SystemProxyStatusSchema,
  'lab.progress': LabProgressSchema,
  /** Exchanges written, and those that the export will write. */
  'har.progress': v.object({ written: v.number(), total: v.number() }),
  /** Rows of this session were hidden, restored or marked: read `session.edits` again. */
  'session.edited': v.object({ session: v.string() }),
  /** `found`: ids of exchanges found since the last progress of this search; the counts are exchanges. */
  'search.progress': v.object({
    search: v.number(),
    found: v.array(v.number()),
    searched: v.number(),
    total: v.number(),
  }),
  /** Further results of this window's repetition, in the order in which they ended. `over`: no more follow. */
  'replay.progress': v.object({ run: v.number(), results: v.array(RepeatResultSchema), over: v.boolean() }),
  /** Bytes read of the file that is being imported. */
  'import.progress': v.object({ read: v.number(), total: v.number() }),
  /** The host's menu or shortcut asks the window for something that it also has a button for. */
  'app.command': v.object({
    command: v.picklist([
      'clear',
      'toggle-recording',
      'export-har',
      'focus-filter',
      'open-trust',
      'toggle-theme',
      'new-request',
      'open-sessions',
      'open-settings',
      'show-keys',
    ]),
  }),
} as const;

export type EventName = keyof typeof EVENTS;
/** An event as a window receives it. */
export type PayloadOf<E extends EventName> = v.InferOutput<(typeof EVENTS)[E]>;
/** An event as a host sends it. */
export type SentOf<E extends EventName> = v.InferInput<(typeof EVENTS)[E]>;
