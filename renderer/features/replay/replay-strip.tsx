import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ReplayOf } from '../../../shared/model/replay/replay-of.ts';
import { knownTotal } from '../../../shared/model/timings.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { showExchange } from '../compare/comparison-actions.ts';
import { useOriginal } from './use-original.ts';

/**
 * Above the details of an exchange that was sent again: its original, what changed, and the way to all differences. Of
 * an original whose session is closed, only the number is known.
 */
export function ReplayStrip({ exchange, of }: { exchange: Exchange; of: ReplayOf }) {
  const app = useApp();
  const original = useOriginal(of);
  const isCompared = useWindow(({ tab, compareWith }) => tab === 'Compare' && compareWith?.id === of.exchange);
  const compare = () =>
    app.store.setState({ compareWith: { session: of.session, id: of.exchange }, tab: 'Compare', inspecting: true });
  return (
    <section className="replay-strip" aria-label="Comparison with the original">
      <span>Sent again from</span>
      {original === 'gone' ? (
        <span className="muted">#{of.exchange}, which is not in an open session</span>
      ) : (
        <Button tone="quiet" onClick={() => showExchange(app, of.session, of.exchange)}>
          #{of.exchange}
        </Button>
      )}
      {original !== null && original !== 'gone' && (
        <>
          {measures(original, exchange).map(({ name, before, after }) => (
            <span key={name} className={before === after ? 'muted' : ''}>
              {name} {before === after ? after : `${before} → ${after}`}
            </span>
          ))}
          {!isCompared && (
            <Button tone="quiet" onClick={compare}>
              Compare
            </Button>
          )}
        </>
      )}
    </section>
  );
}

interface Measure {
  name: string;
  before: string;
  after: string;
}

function statusOf({ response, failure }: Exchange): string {
  return response ? String(response.status) : failure ? 'failed' : '-';
}

/** Compared as text: a difference that rounding hides does not count. */
function measures(before: Exchange, after: Exchange): Measure[] {
  const measure = (name: string, of: (exchange: Exchange) => string) => ({
    name,
    before: of(before),
    after: of(after),
  });
  return [
    measure('status', statusOf),
    measure('TTFB', ({ timings }) => formatDuration(timings.wait)),
    measure('total', ({ timings }) => formatDuration(knownTotal(timings))),
    measure('body', ({ response }) => (response ? formatBytes(response.body.size) : '-')),
  ];
}
