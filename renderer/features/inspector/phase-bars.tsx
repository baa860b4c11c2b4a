import { formatDuration } from '../../../shared/format/durations.ts';
import { knownTotal, overheadTime, type RunningPhase, type Timings, totalTime } from '../../../shared/model/timings.ts';
import { phasesOf } from '../traffic/waterfall/phases.ts';
import { comparedPhases } from './compared-phases.ts';

interface PhasesProps {
  timings: Timings;
  /** Of the exchange that this one is compared with; null: none. */
  base: Timings | null;
  /** The current phase; null: the exchange is over. */
  running: RunningPhase | null;
}

/**
 * A bar per phase, the total and the overhead; with a base, its bars and the differences too. A phase that only one of
 * the two has shows the whole duration as the difference.
 */
export function Phases({ timings, base, running }: PhasesProps) {
  const total = knownTotal(timings);
  // Both exchanges share one axis.
  const span = Math.max(total, base ? knownTotal(base) : 0);
  const percent = (part: number) => `${span > 0 ? (part / span) * 100 : 0}%`;
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
        {base && <Difference own={total} other={knownTotal(base)} />}
      </li>
      <OverheadRow timings={timings} base={base} percent={percent} />
    </ul>
  );
}

interface OverheadProps extends Omit<PhasesProps, 'running'> {
  /** A duration in milliseconds as a CSS length on the shared axis. */
  percent: (part: number) => string;
}

/** Roundtrip's overhead, drawn where it occurred: at the start, and where the response begins. */
function OverheadRow({ timings, base, percent }: OverheadProps) {
  const back = phasesOf(timings).find(({ key }) => key === 'receive')?.start ?? totalTime(timings);
  const { overheadRequest, overheadResponse } = timings;
  return (
    <li title="Time added by Roundtrip, included in the phases above">
      <span>Overhead</span>
      <div className="lane">
        {overheadRequest >= 0 && <i className="phase-overhead" style={{ left: 0, width: percent(overheadRequest) }} />}
        {overheadResponse >= 0 && (
          <i className="phase-overhead" style={{ left: percent(back), width: percent(overheadResponse) }} />
        )}
      </div>
      <b>{formatDuration(overheadTime(timings))}</b>
      {base && <Difference own={overheadTime(timings)} other={overheadTime(base)} />}
    </li>
  );
}

/** How much longer this exchange took than the base, milliseconds. Negative durations are unknown: no difference. */
function Difference({ own, other }: { own: number; other: number }) {
  const by = own < 0 || other < 0 ? 0 : own - other;
  const sign = by < 0 ? '−' : '+';
  return <em className={by > 0 ? 'slower' : 'faster'}>{by === 0 ? '' : `${sign}${formatDuration(Math.abs(by))}`}</em>;
}
