import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Comparison, Sum, Sums } from '../../../shared/model/compare/comparison.ts';
import type { ComparisonView } from '../../state/window-state.ts';
import { useApp, useWindow } from '../app-context.ts';
import { showMatching } from './comparison-actions.ts';
import { summedQuery } from './summed-query.ts';

/** Lines of a table; a session can have thousands of hosts, and those with the most bytes come first. */
const MOST = 200;

/** Exchanges, bytes and time of both sessions by host and by media type. Each count opens its exchanges. */
export function ComparisonTotals({ view, result }: { view: ComparisonView; result: Comparison }) {
  return (
    <section className="comparison-totals" aria-label="Totals" tabIndex={0}>
      <Totals view={view} title="Hosts" sums={result.hosts} field="host" />
      <Totals view={view} title="Media types" sums={result.types} field="type" />
    </section>
  );
}

interface TotalsProps {
  view: ComparisonView;
  title: string;
  sums: Sums;
  field: 'host' | 'type';
}

function Totals({ view, title, sums, field }: TotalsProps) {
  const ignored = useWindow((state) => state.settings.compareIgnored.queries);
  const left = sums.length - MOST;
  const linked = (sum: Sums[number]) => ({ view, sum, query: summedQuery(field, sum.name, sums, ignored) });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col" colSpan={3}>
            Exchanges before, after
          </th>
          <th scope="col" colSpan={3}>
            Response bytes before, after
          </th>
          <th scope="col" colSpan={3}>
            Time before, after
          </th>
        </tr>
      </thead>
      <tbody>
        {sums.slice(0, MOST).map((sum) => (
          <tr key={sum.name}>
            <th scope="row">{nameOf(sum)}</th>
            <Measure {...linked(sum)} of="exchanges" show={(count) => count.toLocaleString('en')} />
            <Measure {...linked(sum)} of="bytes" show={formatBytes} />
            <Measure {...linked(sum)} of="ms" show={formatDuration} />
          </tr>
        ))}
        {left > 0 && (
          <tr>
            <td className="muted" colSpan={10}>
              {left.toLocaleString('en')} more with fewer bytes
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function nameOf({ name }: Sums[number]): string {
  return name === '' ? 'Unknown' : name;
}

interface MeasureProps {
  view: ComparisonView;
  sum: Sums[number];
  of: keyof Sum;
  /** Finds the exchanges of the sum. */
  query: string;
  /** Puts a value into words: a count, a size or a duration. */
  show: (value: number) => string;
}

/** Before, after and the difference. A side without exchanges has nothing to link to. */
function Measure({ view, sum, of, query, show }: MeasureProps) {
  const app = useApp();
  const cell = (side: 'before' | 'after') => (
    <td>
      {sum[side].exchanges === 0 ? (
        show(sum[side][of])
      ) : (
        <button
          type="button"
          className="link"
          aria-label={`${nameOf(sum)}, ${of} ${side}: ${show(sum[side][of])}`}
          onClick={() => showMatching(app, view[side], query)}
        >
          {show(sum[side][of])}
        </button>
      )}
    </td>
  );
  const isKnown = sum.after[of] >= 0 && sum.before[of] >= 0;
  const by = isKnown ? sum.after[of] - sum.before[of] : 0;
  const sign = by < 0 ? '−' : '+';
  return (
    <>
      {cell('before')}
      {cell('after')}
      <td className={by > 0 ? 'more' : 'less'}>{by === 0 ? '' : `${sign}${show(Math.abs(by))}`}</td>
    </>
  );
}
