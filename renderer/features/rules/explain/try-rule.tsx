import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { compileFilter } from '../../../../shared/filter/compile.ts';
import type { ExchangeSummary } from '../../../../shared/model/exchange-summary.ts';
import type { Rule } from '../../../../shared/model/rule/rule.ts';
import { Button } from '../../../ui/button.tsx';
import { useApp } from '../../app-context.ts';
import { actionsInWords } from '../rule-words.ts';

/** Rows that are listed; the filter box shows all. */
const MOST_ROWS = 8;

interface Trial {
  hits: number;
  of: number;
  first: readonly ExchangeSummary[];
}

/** Runs a rule's query over the session that the window shows. Nothing is sent, and no rule changes. */
export function TryRule({ rule }: { rule: Rule }) {
  const app = useApp();
  const [trial, setTrial] = useState<Trial | null>(null);
  const run = () => {
    const filter = compileFilter(rule.when);
    if (!filter.ok) return;
    const { count, first } = app.table.matching(filter.matches, MOST_ROWS);
    setTrial({ hits: count, of: app.table.size, first });
  };
  const show = () => app.store.setState({ query: rule.when, panel: null, ruleDraft: null });
  return (
    <div className="trial">
      <Button icon={FlaskConical} title="Find what the rule would have matched in this session" onClick={run}>
        Try
      </Button>
      {trial && (
        <div role="status">
          {trial.hits} of {trial.of} recorded exchanges match{trial.hits > 0 && `: ${actionsInWords(rule)}`}
          {trial.first.length > 0 && (
            <ul>
              {trial.first.map(({ id, method, authority, path, status }) => (
                <li key={id}>
                  <code>
                    {method} {authority}
                    {path} {status > 0 && status}
                  </code>
                </li>
              ))}
            </ul>
          )}
          {trial.hits > trial.first.length && <Button onClick={show}>Show all in the list</Button>}
        </div>
      )}
    </div>
  );
}
