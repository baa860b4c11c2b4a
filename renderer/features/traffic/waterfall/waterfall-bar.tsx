import { formatDuration } from '../../../../shared/format/durations.ts';
import type { ExchangeSummary } from '../../../../shared/model/exchange-summary.ts';
import { barBackground } from './bar-paint.ts';
import { type Phase, phasesOf } from './phases.ts';

/** The waterfall's axis in milliseconds; `from` is null if each bar begins at the left edge. */
export interface WaterfallScale {
  from: number | null;
  span: number;
}

/** Percent. A bar that begins at or past the end of the axis is moved here to stay visible. */
const LAST = 98.5;

/** Over, and of a file without times: only its start is known. */
function isUntimed({ state, total }: ExchangeSummary): boolean {
  return state !== 'open' && total < 0;
}

function classOf(row: ExchangeSummary): string {
  if (row.state === 'open') return 'bar open';
  if (row.state === 'failed') return 'bar failed';
  return isUntimed(row) ? 'bar untimed' : 'bar';
}

/** The bar's tooltip: a line per phase. */
function inWords(phases: readonly Phase[], row: ExchangeSummary): string {
  const lines = phases.map(({ label, duration }) => `${label}: ${formatDuration(duration)}`);
  if (isUntimed(row)) lines.push('Its time is unknown');
  if (row.state === 'open') lines.push('In progress');
  if (row.overhead >= 0) lines.push(`Roundtrip overhead: ${formatDuration(row.overhead)}`);
  return lines.join('\n');
}

/** A row's bar. Roundtrip's overhead is a line over it, not a segment, because it is included in the phases. */
export function WaterfallBar({ row, scale }: { row: ExchangeSummary; scale: WaterfallScale }) {
  const start = scale.from === null ? 0 : ((row.startedAt - scale.from) / scale.span) * 100;
  const left = Math.min(Math.max(0, start), LAST);
  const width = Math.min((Math.max(row.total, 0) / scale.span) * 100, 100 - left);
  const phases = phasesOf(row.timings);
  return (
    <div className="bar-track" title={inWords(phases, row)}>
      <div
        className={classOf(row)}
        style={{
          left: `${left}%`,
          width: `${width}%`,
          background: isUntimed(row) ? 'none' : barBackground(phases, row),
        }}
      />
    </div>
  );
}
