import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { useTable, useWindow } from '../app-context.ts';
import { useHostNow } from '../use-host-now.ts';
import { axisSpan } from './grown-row.ts';
import type { RowWindow } from './use-row-window.ts';
import type { WaterfallScale } from './waterfall/waterfall-bar.tsx';

/** Sorted by time, the visible bars share one time axis. In any other order, all begin at the left edge. */
function scaleOf(rows: readonly ExchangeSummary[], byTime: boolean, now: number): WaterfallScale {
  if (!byTime || rows.length === 0) return { from: null, span: axisSpan(rows, () => 0, now) };
  const from = Math.min(...rows.map((row) => row.startedAt));
  return { from, span: axisSpan(rows, (row) => row.startedAt - from, now) };
}

/** The rows to render with their positions, the waterfall's axis, and the host's time for open exchanges. */
export function useShownRows({ items, range }: RowWindow) {
  const table = useTable();
  const sortKey = useWindow((state) => state.sortKey);
  const rows = items.flatMap(({ index, start, slot }) => {
    const row = table.row(table.visible[index] ?? 0);
    return row ? [{ row, index, start, slot }] : [];
  });
  // The axis leaves out overscan rows: it would change for invisible rows.
  const onScreen = rows.filter(({ index }) => index >= range.first && index <= range.last).map(({ row }) => row);
  const now = useHostNow(rows.some(({ row }) => row.state === 'open'));
  return { rows, now, scale: scaleOf(onScreen, sortKey === 'id' || sortKey === 'waterfall', now) };
}
