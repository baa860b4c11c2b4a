import { Scale, X } from 'lucide-react';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import {
  grownTimings,
  overheadTime,
  type RunningPhase,
  runningPhase,
  type Timings,
  totalTime,
} from '../../../shared/model/timings.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { phasesOf } from '../traffic/phases.ts';
import { useHostNow } from '../use-host-now.ts';
import { comparedPhases } from './compared-phases.ts';

/** The phases of an exchange as bars, with Roundtrip's overhead. Can be compared with another exchange's. */
export function TimingsTab({ exchange }: { exchange: Exchange }) {
  const { id, upstream, startedAt } = exchange;
  const open = exchange.state === 'open';
  const now = useHostNow(open);
  const timings = open ? grownTimings(exchange.timings, now - startedAt) : exchange.timings;
  const { table } = useApp();
  const compareWith = useWindow((state) => state.compareWith);
  // An exchange is not compared with itself; the base may be gone after the session was cleared.
  const base = compareWith === null || compareWith === id ? undefined : table.row(compareWith);
  return (
    <>
      <p className="timings-head">
        <span>
          Started {new Date(startedAt).toLocaleString('en-GB')}
          {upstream && ` · ${upstream.reused ? 'reused' : 'new'} connection ${upstream.id}`}
        </span>
        <Comparison id={id} base={base} />
      </p>
      <Phases timings={timings} base={base?.timings ?? null} running={open ? runningPhase(exchange.timings) : null} />
      <p className="pad muted">{overheadInWords(timings, open)}</p>
    </>
  );
}

/** One sentence on the overhead. -1 means that the moment was never reached. */
function overheadInWords({ overheadRequest, overheadResponse }: Timings, open: boolean): string {
  if (overheadRequest < 0 && open) return 'Nothing sent upstream yet.';
  if (overheadRequest < 0) return 'Overhead unknown: nothing was sent upstream.';
  const back = overheadResponse < 0 ? '' : `, ${formatDuration(overheadResponse)} on the response`;
  return `Roundtrip's overhead: ${formatDuration(overheadRequest)} on the request${back}. It is included in the phases above.`;
}

/** Makes this exchange the base of comparisons, or names the exchange that it is compared with. */
function Comparison({ id, base }: { id: number; base: ExchangeSummary | undefined }) {
  const { store } = useApp();
  const isBase = useWindow((state) => state.compareWith === id);
  const stop = (
    <button
      type="button"
      className="copy"
      aria-label="Stop comparing"
      title="Stop comparing"
      onClick={() => store.setState({ compareWith: null })}
    >
      <X size={13} aria-hidden="true" />
    </button>
  );
  if (base) {
    return (
      <span className="compared">
        <i className="key base" aria-hidden="true" /> compared with{' '}
        <button type="button" className="link" onClick={() => store.setState({ selected: base.id })}>
          #{base.id} {base.method} {base.path}
        </button>
        {stop}
      </span>
    );
  }
  if (isBase) return <span className="compared">Select another exchange to compare {stop}</span>;
  return (
    <Button tone="quiet" icon={Scale} onClick={() => store.setState({ compareWith: id })}>
      Compare
    </Button>
  );
}

interface PhasesProps {
  timings: Timings;
  base: Timings | null;
  /** The current phase; null: the exchange is over. */
  running: RunningPhase | null;
}

/**
 * A bar per phase, the total and the overhead; with a base, its bars and the differences too. A phase that only one of
 * the two has shows the whole duration as the difference.
 */
function Phases({ timings, base, running }: PhasesProps) {
  const total = totalTime(timings);
  // Both exchanges share one axis.
  const span = Math.max(total, base ? totalTime(base) : 0);
  const percent = (part: number) => `${span > 0 ? (part / span) * 100 : 0}%`;
  // Where the response's share of the overhead is drawn: at the start of Receive.
  const back = phasesOf(timings).find(({ key }) => key === 'receive')?.start ?? total;
  return (
    <ul className={base ? 'phases comparing' : 'phases'} aria-label="Timings">
      {comparedPhases(timings, base).map(({ key, label, about, own, other }) => (
        <li key={key} title={about} className={key === running ? 'running' : ''}>
          <span>
            {label}
            {key === running && '…'}
          </span>
          <div className="lane">
            {own && <i className={`phase-${key}`} style={{ left: percent(own.start), width: percent(own.duration) }} />}
            {other && <i className="base" style={{ left: percent(other.start), width: percent(other.duration) }} />}
          </div>
          <b>{own ? formatDuration(own.duration) : ''}</b>
          {base && <Difference own={own?.duration ?? 0} other={other?.duration ?? 0} />}
        </li>
      ))}
      <li className="sum">
        <span>{running === null ? 'Total' : 'Elapsed'}</span>
        <div className="lane" />
        <b>{formatDuration(total)}</b>
        {base && <Difference own={total} other={totalTime(base)} />}
      </li>
      <li title="Time added by Roundtrip, included in the phases above">
        <span>Overhead</span>
        <div className="lane">
          {timings.overheadRequest >= 0 && (
            <i className="phase-overhead" style={{ left: 0, width: percent(timings.overheadRequest) }} />
          )}
          {timings.overheadResponse >= 0 && (
            <i className="phase-overhead" style={{ left: percent(back), width: percent(timings.overheadResponse) }} />
          )}
        </div>
        <b>{formatDuration(overheadTime(timings))}</b>
        {base && <Difference own={overheadTime(timings)} other={overheadTime(base)} />}
      </li>
    </ul>
  );
}

/** How much longer this exchange took than the base, milliseconds. Negative durations are unknown: no difference. */
function Difference({ own, other }: { own: number; other: number }) {
  const by = own < 0 || other < 0 ? 0 : own - other;
  const sign = by < 0 ? '−' : '+';
  return <em className={by > 0 ? 'slower' : 'faster'}>{by === 0 ? '' : `${sign}${formatDuration(Math.abs(by))}`}</em>;
}
