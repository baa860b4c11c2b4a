import { formatDuration } from '../../../shared/format/durations.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { overheadTime, totalTime } from '../../../shared/model/timings.ts';
import { phasesOf } from '../traffic/phases.ts';

export function TimingsTab({ exchange: { timings, upstream, startedAt } }: { exchange: Exchange }) {
  const total = totalTime(timings);
  const percent = (part: number) => `${total > 0 ? (part / total) * 100 : 0}%`;
  const overhead = overheadTime(timings);
  return (
    <>
      <p className="pad muted">
        Started {new Date(startedAt).toLocaleString('en-GB')}
        {upstream && ` · ${upstream.reused ? 'reused' : 'new'} connection ${upstream.id}`}
      </p>
      <ul className="phases" aria-label="Timings">
        {phasesOf(timings).map((phase) => (
          <li key={phase.key} title={phase.about}>
            <span>{phase.label}</span>
            <div className="lane">
              <i
                className={`phase-${phase.key}`}
                style={{ left: percent(phase.start), width: percent(phase.duration) }}
              />
            </div>
            <b>{formatDuration(phase.duration)}</b>
          </li>
        ))}
        <li className="sum">
          <span>Total</span>
          <div className="lane" />
          <b>{formatDuration(total)}</b>
        </li>
        <li title="What Roundtrip added; it is inside the phases above, not beside them">
          <span>Overhead</span>
          <div className="lane">
            <i className="phase-overhead" style={{ left: 0, width: percent(Math.max(0, overhead)) }} />
          </div>
          <b>{formatDuration(overhead)}</b>
        </li>
      </ul>
      <p className="pad muted">
        Overhead is Roundtrip's own: {formatDuration(timings.overheadRequest)} on the way out,{' '}
        {formatDuration(timings.overheadResponse)} on the way back. It is inside the phases above.
      </p>
    </>
  );
}
