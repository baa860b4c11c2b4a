import { useEffect, useRef } from 'react';
import { grouped } from '../../../shared/format/counts.ts';
import { costsOf } from '../../../shared/insight/finding-costs.ts';
import type { Finding, ShortFinding } from '../../../shared/model/insight/finding.ts';
import { type App, useApp, useWindow } from '../app-context.ts';
import { idsQuery, shownIds } from './ids-query.ts';

/** Ids that have their own button. */
const NAMED = 12;

/**
 * Whether the list shows only the rows of `query`. During a recording a finding gets more rows: a list that shows them
 * follows.
 */
function useShownRows({ store }: App, query: string): boolean {
  const before = useRef(query);
  useEffect(() => {
    if (store.getState().query === before.current) store.setState({ query });
    before.current = query;
  }, [store, query]);
  return useWindow((state) => state.query === query);
}

/**
 * One finding: its title, cost, rows and remedy. Its title is a toggle (`aria-pressed`): a second click shows all rows
 * again.
 */
export function FindingItem({ finding }: { finding: ShortFinding }) {
  const app = useApp();
  const { severity, title, detail, remedy, exchanges, rows } = finding;
  const query = idsQuery(exchanges);
  const shown = shownIds(exchanges);
  const isShown = useShownRows(app, query);
  return (
    <li>
      <span className={`severity ${severity}`}>{severity}</span>
      <div className="finding">
        <button
          type="button"
          className="finding-title"
          aria-pressed={isShown}
          title={isShown ? 'Show all rows again' : 'Show only its rows'}
          onClick={() => app.store.setState({ query: isShown ? '' : query })}
        >
          {title}
        </button>
        {detail !== '' && <p>{detail}</p>}
        <p className="finding-remedy">{remedy}</p>
        <p className="finding-rows">
          {exchanges.slice(0, NAMED).map((id) => (
            <button
              key={id}
              type="button"
              className="link"
              aria-label={`Exchange ${id}`}
              onClick={() => select(app, id)}
            >
              {id}
            </button>
          ))}
          {rows > NAMED && <span className="muted">and {grouped(rows - NAMED)} more</span>}
          {shown < rows && <span className="muted">(a click on the title shows {grouped(shown)})</span>}
        </p>
      </div>
      <Costs finding={finding} />
    </li>
  );
}

/** A description list, in which screen readers pair each figure with its name (WCAG 1.3.1). */
function Costs({ finding }: { finding: Finding }) {
  return (
    <dl className="finding-cost">
      {costsOf(finding).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>confidence</dt>
        <dd>{finding.confidence}</dd>
      </div>
    </dl>
  );
}

function select({ store }: App, id: number): void {
  store.setState({ selected: id, inspecting: true });
}
