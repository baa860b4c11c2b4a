import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { phasesOf } from './phases.ts';

/** What the width of the column stands for, milliseconds; `from` is null where each bar begins at the left edge. */
export interface WaterfallScale {
  from: number | null;
  span: number;
}

/** One bar of a row. Roundtrip's own share lies over it as a line: it is inside the phases, not beside them. */
export function WaterfallBar({ row, scale }: { row: ExchangeSummary; scale: WaterfallScale }) {
  const left = scale.from === null ? 0 : ((row.startedAt - scale.from) / scale.span) * 100;
  const width = (row.total / scale.span) * 100;
  const percent = (duration: number) => `${row.total > 0 ? (duration / row.total) * 100 : 0}%`;
  return (
    <div className="bar-track">
      <div
        className={row.state === 'open' ? 'bar open' : row.state === 'failed' ? 'bar failed' : 'bar'}
        style={{ left: `${Math.min(left, 98.5)}%`, width: `${Math.min(width, 100 - Math.min(left, 98.5))}%` }}
      >
        {phasesOf(row.timings).map((phase) => (
          <span key={phase.key} className={`phase-${phase.key}`} style={{ width: percent(phase.duration) }} />
        ))}
        {row.overhead > 0 && <i className="phase-overhead" style={{ width: percent(row.overhead) }} />}
      </div>
    </div>
  );
}
