import { Scale, X } from 'lucide-react';
import { momentOf } from '../../../shared/format/clock.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { grownTimings, runningPhase, type Timings } from '../../../shared/model/timings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { useHostNow } from '../use-host-now.ts';
import { Phases } from './phase-bars.tsx';

/** The phases of an exchange as bars, with Roundtrip's overhead. Can be compared with another exchange's. */
export function TimingsTab({ exchange }: { exchange: Exchange }) {
  const { id, upstream, startedAt } = exchange;
  const open = exchange.state === 'open';
  const now = useHostNow(open);
  const timings = open ? grownTimings(exchange.timings, now - startedAt) : exchange.timings;
  const { table } = useApp();
  const compareWith = useWindow((state) => state.compareWith);
  // An exchange is not compared with itself. The Compare tab shows one of another session.
  const isHere = compareWith?.session === table.sessionId && compareWith.id !== id;
  const base = isHere ? table.row(compareWith.id) : undefined;
  return (
    <>
      <p className="timings-head">
        <span>
          Started {momentOf(new Date(startedAt))}
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
  if (overheadRequest < 0) return 'Overhead unknown: Roundtrip sent nothing upstream.';
  const back = overheadResponse < 0 ? '' : `, ${formatDuration(overheadResponse)} on the response`;
  return (
    `Roundtrip's overhead: ${formatDuration(overheadRequest)} on the request${back}. It is included in the phases ` +
    'above.'
  );
}

/** Makes this exchange the base of comparisons, or names the exchange that it is compared with. */
function Comparison({ id, base }: { id: number; base: ExchangeSummary | undefined }) {
  const { store, table } = useApp();
  const compareWith = useWindow((state) => state.compareWith);
  const isBase = compareWith?.id === id && compareWith.session === table.sessionId;
  const stop = (
    <IconButton
      icon={X}
      size={13}
      label="Stop comparing"
      title="Stop comparing"
      onClick={() => store.setState({ compareWith: null })}
    />
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
    <Button tone="quiet" icon={Scale} onClick={() => store.setState({ compareWith: { session: table.sessionId, id } })}>
      Compare
    </Button>
  );
}
