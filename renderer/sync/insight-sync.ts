import { InspectorError } from '../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { OutputOf } from '../../shared/contract/requests.ts';
import type { Finding } from '../../shared/model/insight/finding.ts';
import type { SessionTables } from '../state/session-tables.ts';
import type { FindingMark, Insight, WindowStore } from '../state/window-state.ts';

/** Milliseconds between two reads of the findings, and how many times the duration of the last one. */
const PAUSE = { shortest: 1500, longest: 30_000, times: 50 } as const;

/**
 * How long to wait after a read that took `took` milliseconds: reads then take under two percent of a core. On a busy
 * machine a read waits more than it works, and the findings must not lag minutes behind for that.
 */
export function pauseAfter(took: number): number {
  return Math.min(Math.max(PAUSE.shortest, took * PAUSE.times), PAUSE.longest);
}

/**
 * Keeps the window's findings in step with the host's for the shown session. The host's reader thread looks for them;
 * the pause keeps that under two percent of a core.
 */
export function keepInsight(api: InspectorApi, store: WindowStore, tables: SessionTables): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let changed = false;
  let pause: number = PAUSE.shortest;
  let unsubscribe = () => {};

  async function look(): Promise<void> {
    timer = undefined;
    running = true;
    changed = false;
    const began = performance.now();
    const session = tables.of(store.getState().shown).sessionId;
    try {
      const found = await api.request('insight.findings', { session });
      if (session === tables.of(store.getState().shown).sessionId) show(store, session, found);
    } catch (error) {
      // Cleared, closed or disconnected meanwhile: the next change asks again.
      if (!(error instanceof InspectorError)) throw error;
    } finally {
      running = false;
      pause = pauseAfter(performance.now() - began);
      if (changed) plan();
    }
  }

  function plan(): void {
    changed = true;
    if (!running && timer === undefined) timer = setTimeout(() => void look(), pause);
  }

  function follow(): void {
    unsubscribe();
    const table = tables.of(store.getState().shown);
    // Not while rows are read: the host's reader has one thread, and rows are more important.
    const isReady = () => table.complete && table.size > 0;
    unsubscribe = table.changes.subscribe(() => isReady() && plan());
    pause = 0;
    if (isReady()) plan();
  }

  store.subscribe((now, before) => {
    const isOther = now.shown !== before.shown || now.session?.id !== before.session?.id;
    if (isOther && now.insight !== null) store.setState({ insight: null });
    if (isOther) follow();
  });
  follow();
}

/** Equal findings do not change the state: new marks would redraw every row. */
function show(store: WindowStore, session: string, found: OutputOf<'insight.findings'>): void {
  const { insight } = store.getState();
  const { findings, total, note } = found;
  // In a long session, `skipped` grows with each exchange; the window shows only whether there are such exchanges.
  const isAsLong = insight?.session === session && insight.note === note && insight.skipped > 0 === found.skipped > 0;
  const same = isAsLong && JSON.stringify(insight.findings) === JSON.stringify(findings);
  if (same) return;
  const marks = marksOf(findings);
  store.setState({ insight: { session, findings, total, skipped: found.skipped, note, marks } satisfies Insight });
}

/** By row. Findings come with the worst first. */
export function marksOf(findings: readonly Finding[]): Map<number, FindingMark> {
  const marks = new Map<number, FindingMark>();
  for (const { severity, title, exchanges } of findings) {
    for (const id of exchanges) {
      const mark = marks.get(id);
      marks.set(
        id,
        mark ? { severity: mark.severity, titles: `${mark.titles}\n${title}` } : { severity, titles: title },
      );
    }
  }
  return marks;
}
