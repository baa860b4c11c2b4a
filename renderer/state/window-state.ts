import { createStore, type StoreApi } from 'zustand/vanilla';
import type { QueryProblem } from '../../shared/filter/query.ts';
import type { Client } from '../../shared/model/client.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { SystemProxyStatus } from '../../shared/model/proxy/system-proxy.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/model/settings.ts';

export interface Toast {
  id: number;
  tone: 'error' | 'done';
  code: string | null;
  message: string;
  link: { label: string; url: string } | null;
  /** What can be done about it; doing it closes the message. */
  action?: { label: string; run: () => void };
}

export interface TimeWindow {
  from: number;
  to: number;
}

export type Panel = 'connect' | 'trust' | 'export' | 'proxy' | 'keys' | null;

export const INSPECTOR_TABS = [
  'Headers',
  'Request',
  'Response',
  'Timings',
  'Connection',
  'Attempts',
  'Messages',
] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

export interface WindowState {
  connected: boolean;
  everConnected: boolean;
  /** True once the first pages have been read. */
  loaded: boolean;
  settings: Settings;
  engine: EngineStatus | null;
  session: SessionInfo | null;
  platform: string;
  /** What was started here or is checked, as the host last said. */
  clients: readonly Client[];
  /** Null before it was asked. */
  systemProxy: SystemProxyStatus | null;
  selected: number | null;
  inspecting: boolean;
  tab: InspectorTab;
  /** What is looked for in bodies; null while nothing is. */
  find: string | null;
  /** The exchange that the timings of others stand beside. */
  compareWith: number | null;
  query: string;
  queryProblem: QueryProblem | null;
  timeWindow: TimeWindow | null;
  sortKey: string;
  descending: boolean;
  panel: Panel;
  /** The CA is trusted by at least one store that was probed; null before it was asked. */
  trusted: boolean | null;
  exporting: { written: number; total: number } | null;
  toasts: readonly Toast[];
  /** What came from the host and was not of the contract, the latest 50. */
  problems: readonly string[];
}

export type WindowStore = StoreApi<WindowState>;

export function createWindowStore(): WindowStore {
  return createStore<WindowState>(() => ({
    connected: false,
    everConnected: false,
    loaded: false,
    settings: DEFAULT_SETTINGS,
    engine: null,
    session: null,
    platform: '',
    clients: [],
    systemProxy: null,
    selected: null,
    inspecting: false,
    tab: 'Headers',
    find: null,
    compareWith: null,
    query: '',
    queryProblem: null,
    timeWindow: null,
    sortKey: 'id',
    descending: false,
    panel: null,
    trusted: null,
    exporting: null,
    toasts: [],
    problems: [],
  }));
}

export function logProblem(store: WindowStore, sentence: string): void {
  store.setState(({ problems }) => ({ problems: [...problems, sentence].slice(-50) }));
}

let toastIds = 0;

/** Shows a message; an error stays until it is closed. Returns its id. */
export function showToast(store: WindowStore, toast: Omit<Toast, 'id'>): number {
  toastIds += 1;
  const id = toastIds;
  store.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), { id, ...toast }] }));
  return id;
}

export function closeToast(store: WindowStore, id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}
