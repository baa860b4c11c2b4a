import { createStore, type StoreApi } from 'zustand/vanilla';
import type { QueryProblem } from '../../shared/filter/query.ts';
import type { Client } from '../../shared/model/client.ts';
import type { Comparison } from '../../shared/model/compare/comparison.ts';
import type { IdRange } from '../../shared/model/edits/session-edits.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Severity, ShortFinding } from '../../shared/model/insight/finding.ts';
import type { LabProgress, LabResult } from '../../shared/model/lab/lab-result.ts';
import type { SystemProxyStatus } from '../../shared/model/proxy/system-proxy.ts';
import type { ComposedRequest } from '../../shared/model/replay/composed-request.ts';
import type { ReplayOf } from '../../shared/model/replay/replay-of.ts';
import type { HeldSummary } from '../../shared/model/rule/held-message.ts';
import type { Rule } from '../../shared/model/rule/rule.ts';
import type { RuleState } from '../../shared/model/rule/rule-state.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/model/settings.ts';
import type { RowSelection } from './row-selection.ts';

/** A message at the edge of the window. `done` closes after some seconds unless it has a link; `error` stays. */
export interface Toast {
  id: number;
  tone: 'error' | 'done';
  /** The failure's stable code (docs/failures.md); null: it has none. */
  code: string | null;
  message: string;
  link: { label: string; url: string } | null;
  /** The next attempt at the same replaces it. */
  about?: 'import';
  /** A button in the toast; clicking it also closes the toast. */
  action?: { label: string; run: () => void };
}

/** A range of start times, milliseconds since the Unix epoch; `to` is exclusive. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** The open dialog. One at a time; null: none. */
export type Panel =
  | 'connect'
  | 'trust'
  | 'export'
  | 'proxy'
  | 'keys'
  | 'rules'
  | 'throttle'
  | 'ignored'
  | 'mark'
  | 'agents'
  | 'lab'
  | 'compose'
  | 'repeat'
  | 'sessions'
  | null;

/** In display order: the number keys select by position. */
export const INSPECTOR_TABS = [
  'Headers',
  'Request',
  'Response',
  'Timings',
  'Connection',
  'Attempts',
  'Messages',
  'Rules',
  'Compare',
] as const;
/** A tab's name is its label, and part of its element's id. */
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** A search of recorded content. The list shows what it found. */
export interface SearchState {
  id: number;
  session: string;
  query: string;
  /** Ids of exchanges that match. Grows in place. */
  found: Set<number>;
  /** Exchanges searched so far, of how many. */
  searched: number;
  total: number;
  running: boolean;
  /** Why it failed, a sentence; null: it did not. */
  problem: string | null;
}

/** What the compose dialog edits: a request, and the exchange that it began with. */
export interface ComposeDraft {
  of: ReplayOf | null;
  request: ComposedRequest;
  /** About the recorded body, a sentence; null: nothing to say. */
  note: string | null;
}

/** Two sessions side by side, by their ids. */
export interface ComparisonView {
  before: string;
  after: string;
  /** The comparison is what the window shows; false: it waits in its tab. */
  shown: boolean;
  /** Null: still being compared, or there is a problem. */
  result: Comparison | null;
  /** Why it could not be made, a sentence. */
  problem: string | null;
}

/** Files that are being opened or imported, one after the other. */
export interface ImportState {
  /** The current file. */
  path: string;
  running: boolean;
  /** Its user cancelled it. */
  cancelled: boolean;
  /** Bytes of the current file. */
  read: number;
  total: number;
  /** What was left out so far, a line each; and how many parts that were. */
  faults: readonly string[];
  faultCount: number;
}

/** The worst finding of a row, and the titles of all of them, a line each. */
export interface FindingMark {
  severity: Severity;
  titles: string;
}

/** What the host found in a session. */
export interface Insight {
  session: string;
  /** The worst first. */
  findings: readonly ShortFinding[];
  /** With those that were not sent. */
  total: number;
  /** Exchanges up to this id were not looked at; 0: all were. */
  skipped: number;
  /** A sentence about exchanges that are left out, because their rows are damaged; null: there are none. */
  note: string | null;
  marks: ReadonlyMap<number, FindingMark>;
}

/** Everything that the window shows except the rows, which are in `ExchangeTable`. */
export interface WindowState {
  /** The host can be reached now. */
  connected: boolean;
  /** Distinguishes a lost connection from one that was never made; the banner differs. */
  everConnected: boolean;
  /** True once the first pages have been read. */
  loaded: boolean;
  /** The defaults until the host has reported them. */
  settings: Settings;
  /** Null until the host has reported it. */
  engine: EngineStatus | null;
  /** The session that is being recorded; null before it is known. */
  session: SessionInfo | null;
  /** The name that its user gave to the session with this path, which is or was being recorded; null: none. */
  recordedName: { path: string; name: string } | null;
  /** The sessions that were opened in addition to it. */
  opened: readonly SessionInfo[];
  /** The session that the window shows; null: the one that is being recorded. */
  shown: string | null;
  /** The running import, or the last one if it left something out; null: neither. */
  importing: ImportState | null;
  /** The open comparison, or null. */
  comparison: ComparisonView | null;
  /** `process.platform` of the host; empty until it has reported. */
  platform: string;
  /** The rules and their file; null until the host has reported them. */
  rules: RuleState | null;
  /** The rule in the form, and the name of the one that it replaces, or null for a new one; null: the list is shown. */
  ruleDraft: { replaces: string | null; rule: Rule } | null;
  /** The messages that wait at breakpoints, oldest first. */
  held: readonly HeldSummary[];
  /** The queue of breakpoints is open. */
  breaksOpen: boolean;
  /** The request in the compose dialog; null: none. */
  compose: ComposeDraft | null;
  /** Null: not read yet. */
  insight: Insight | null;
  /** The findings are open. */
  insightOpen: boolean;
  /** What the repeat dialog sends; `request`: null for the recorded one. */
  repeat: { of: ReplayOf; request: ComposedRequest | null } | null;
  /** Programs started or checked here, as last reported by the host. */
  clients: readonly Client[];
  /** Null until the host has reported it. */
  systemProxy: SystemProxyStatus | null;
  /** Id of the selected exchange. It may be hidden by the filter. */
  selected: number | null;
  /** Several selected rows; read it with `manySelected`. */
  selection: RowSelection | null;
  /** The inspector is open, if an exchange is selected. */
  inspecting: boolean;
  /** An exchange that the list scrolls to as soon as it has a row; null: none. */
  sought: number | null;
  /** The window's, not the inspector's: it stays when another exchange is selected. */
  tab: InspectorTab;
  /** The search text for bodies; null: the find bar is closed. */
  find: string | null;
  /** The exchange that others are compared with; its session may be another. */
  compareWith: { session: string; id: number } | null;
  /** The filter's text, in the language of shared/filter. */
  query: string;
  /** Removals of rows in this window that can be undone, the last one last. */
  removals: readonly { session: string; ranges: readonly IdRange[] }[];
  /** The exchange in the form for marks and notes. */
  marking: number | null;
  /** Null: rows alone can answer the query. */
  search: SearchState | null;
  /** Null: the query is valid. The list shows the last valid query meanwhile. */
  queryProblem: QueryProblem | null;
  /** Selected with the brush; null: all times. */
  timeWindow: TimeWindow | null;
  /** A `ColumnKey`; `id` ascending is the order of arrival. */
  sortKey: string;
  descending: boolean;
  /** The connections take the place of the list. */
  connectionsOpen: boolean;
  panel: Panel;
  /** At least one probed store trusts the CA; null until the host has reported it. */
  trusted: boolean | null;
  /** Progress of a HAR export in exchanges; null: none is running. */
  exporting: { written: number; total: number } | null;
  /** Progress of the lab's run; null: none is running. */
  measuring: LabProgress | null;
  /** The last result of the lab in this window. */
  labResult: LabResult | null;
  /** Oldest first, at most four. */
  toasts: readonly Toast[];
  /** The latest 50 problems: invalid messages from the host, failed reads, rendering errors. */
  problems: readonly string[];
}

/** The window's state outside React; parts of the window subscribe to it. */
export type WindowStore = StoreApi<WindowState>;

/** What a window forgets when its rows are replaced. */
export const NOTHING_SELECTED = { selected: null, selection: null, inspecting: false, sought: null, timeWindow: null };

/** The state of a window before the host has reported anything. */
const NOTHING_KNOWN: WindowState = {
  connected: false,
  everConnected: false,
  loaded: false,
  settings: DEFAULT_SETTINGS,
  engine: null,
  session: null,
  recordedName: null,
  opened: [],
  shown: null,
  importing: null,
  comparison: null,
  platform: '',
  rules: null,
  ruleDraft: null,
  held: [],
  breaksOpen: false,
  compose: null,
  insight: null,
  insightOpen: false,
  repeat: null,
  clients: [],
  systemProxy: null,
  selected: null,
  selection: null,
  inspecting: false,
  sought: null,
  tab: 'Headers',
  find: null,
  compareWith: null,
  query: '',
  queryProblem: null,
  removals: [],
  marking: null,
  search: null,
  timeWindow: null,
  sortKey: 'id',
  descending: false,
  connectionsOpen: false,
  panel: null,
  trusted: null,
  exporting: null,
  measuring: null,
  labResult: null,
  toasts: [],
  problems: [],
};

/** A store that knows nothing yet: `syncHost` and the feed fill it. */
export function createWindowStore(): WindowStore {
  return createStore<WindowState>(() => NOTHING_KNOWN);
}

/**
 * Shows another session. The selection and the time window belong to the session before and are reset. The filter
 * stays, because the same question is often asked of two sessions.
 */
export function showSession(store: WindowStore, shown: string | null): void {
  store.setState(({ comparison }) => ({ comparison: comparison && { ...comparison, shown: false } }));
  if (store.getState().shown !== shown) store.setState({ shown, ...NOTHING_SELECTED });
}

/** Records a problem without a toast: these are faults of the program, not of the user. */
export function logProblem(store: WindowStore, sentence: string): void {
  store.setState(({ problems }) => ({ problems: [...problems, sentence].slice(-50) }));
}

/** Ids increase in this window: a closed toast's id must not close a later one. */
let toastIds = 0;

/** Shows a toast and returns its id. At most four are shown: the oldest gives way. */
export function showToast(store: WindowStore, toast: Omit<Toast, 'id'>): number {
  toastIds += 1;
  const id = toastIds;
  store.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), { id, ...toast }] }));
  return id;
}

/** Closes what earlier attempts left: they would contradict a success. */
export function closeToastsAbout(store: WindowStore, about: Toast['about']): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.about !== about) }));
}

/** Closes a toast; it may already be gone. */
export function closeToast(store: WindowStore, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}
