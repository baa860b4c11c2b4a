import { ArrowLeftRight, ListFilter, RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Comparison } from '../../../shared/model/compare/comparison.ts';
import type { ComparisonView as View } from '../../state/window-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { sessionName } from '../sessions/session-name.ts';
import { compareSessions } from './comparison-actions.ts';
import { ComparisonList } from './comparison-list.tsx';
import { ComparisonTotals } from './comparison-totals.tsx';
import { differing, entriesOf, type Part, unlisted } from './entries.ts';

/**
 * Two sessions side by side: what was added, is gone or changed, and totals. Each part gets a new list, which begins at
 * its top.
 */
export function ComparisonView({ view }: { view: View }) {
  const { result, problem } = view;
  const [chosen, setPart] = useState<Part | 'totals' | null>(null);
  // Among 10,000 exchanges that did not change, the few that did would be out of sight.
  const part = chosen ?? (result && differing(result) > 0 ? 'different' : 'all');
  return (
    <main className="main comparison">
      <h1 className="unseen">Comparison</h1>
      <div className="comparison-head">
        <Sessions view={view} />
        <span className="spring" />
        {result && (
          <Segments label="Shown exchanges" options={partsOf(result)} value={part} onChange={(next) => setPart(next)} />
        )}
        <IgnoredButton />
      </div>
      {problem && (
        <p className="pad problem" role="alert">
          {problem}
        </p>
      )}
      {!result && !problem && (
        <p className="nothing" role="status">
          Comparing…
        </p>
      )}
      {result && part === 'totals' && <ComparisonTotals view={view} result={result} />}
      {result && part !== 'totals' && <Entries key={part} view={view} result={result} part={part} />}
    </main>
  );
}

/** The list of one part, and what it leaves out. */
function Entries({ view, result, part }: { view: View; result: Comparison; part: Part }) {
  const entries = useMemo(() => entriesOf(result, part), [result, part]);
  const left = unlisted(result, part);
  return (
    <>
      <ComparisonList view={view} entries={entries} />
      {left !== '' && (
        <p className="comparison-cut" role="note">
          {left}
        </p>
      )}
    </>
  );
}

/** With counts, which show where the differences are before a part is chosen. */
function partsOf(result: Comparison): Record<Part | 'totals', string> {
  const { counts } = result;
  const count = (label: string, number: number) => `${label} ${number.toLocaleString('en')}`;
  return {
    all: 'All',
    different: count('Different', differing(result)),
    changed: count('Changed', counts.changed),
    added: count('Added', counts.added),
    gone: count('Gone', counts.gone),
    unchanged: count('Unchanged', counts.unchanged),
    totals: 'Totals',
  };
}

/**
 * Which sessions are compared, a button that swaps them, and one that compares them again. Each side disables the
 * session of the other: a session does not differ from itself.
 */
function Sessions({ view: { before, after } }: { view: View }) {
  const app = useApp();
  const opened = useWindow((state) => state.opened);
  const recorded = useWindow((state) => state.session);
  const sessions = [
    ...(recorded ? [{ id: recorded.id, name: 'Current recording' }] : []),
    ...opened.map((session) => ({ id: session.id, name: sessionName(session) })),
  ];
  const choice = (label: string, value: string, other: string, choose: (id: string) => void) => (
    <select className="preset" aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
      {sessions.map(({ id, name }) => (
        <option key={id} value={id} disabled={id === other}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <i className="key before" aria-hidden="true" />
      {choice('Before', before, after, (id) => void compareSessions(app, id, after))}
      <IconButton
        icon={ArrowLeftRight}
        label="Swap sessions"
        title="Swap sessions"
        onClick={() => void compareSessions(app, after, before)}
      />
      <i className="key after" aria-hidden="true" />
      {choice('After', after, before, (id) => void compareSessions(app, before, id))}
      <IconButton
        icon={RefreshCw}
        label="Compare again"
        title="Compare again"
        onClick={() => void compareSessions(app, before, after)}
      />
    </>
  );
}

/** Opens the list of what comparisons ignore; shows how many entries it has. */
function IgnoredButton() {
  const { store } = useApp();
  const { queries, changes } = useWindow((state) => state.settings.compareIgnored);
  const used = queries.length + changes.length;
  return (
    <Button icon={ListFilter} title="What comparisons leave out" onClick={() => store.setState({ panel: 'ignored' })}>
      {used === 0 ? 'Ignore…' : `Ignored: ${used}`}
    </Button>
  );
}
