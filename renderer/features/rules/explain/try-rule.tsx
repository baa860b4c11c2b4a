import { FlaskConical, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Rule } from '../../../../shared/model/rule/rule.ts';
import type { Trial, TrialHit } from '../../../../shared/model/rule/trial.ts';
import { Button } from '../../../ui/button.tsx';
import { attempt, useApp } from '../../app-context.ts';
import { Diff } from '../../inspector/compare/diff.tsx';
import { actionsInWords } from '../rule-words.ts';

/** Runs a rule over the whole session that the window shows, on the host. Nothing is sent, and no rule changes. */
export function TryRule({ rule }: { rule: Rule }) {
  const app = useApp();
  const [trial, setTrial] = useState<Trial | null>(null);
  const { isRunning, run, stop } = useTrial(rule, setTrial);
  // The dialog closes, because it covers the list.
  const show = () => app.store.setState({ query: rule.when, panel: null, ruleDraft: null });
  return (
    <div className="trial">
      {isRunning ? (
        <Button icon={Square} onClick={stop}>
          Stop
        </Button>
      ) : (
        <Button
          icon={FlaskConical}
          title="Find what the rule would have matched and changed in this session"
          onClick={run}
        >
          Try
        </Button>
      )}
      <div role="status">
        {isRunning && 'Looking through the session…'}
        {trial && !isRunning && wordsOf(trial, rule)}
      </div>
      {trial && !isRunning && trial.hits.length > 0 && (
        <ul>
          {trial.hits.map((hit) => (
            <Hit key={hit.id} hit={hit} />
          ))}
        </ul>
      )}
      {trial && !isRunning && trial.matching > trial.hits.length && (
        <Button onClick={show}>Show all in the list</Button>
      )}
    </div>
  );
}

function wordsOf({ matching, searched }: Trial, rule: Rule): string {
  const counted = `${matching.toLocaleString('en')} of ${searched.toLocaleString('en')} recorded exchanges match`;
  return matching > 0 ? `${counted}: ${actionsInWords(rule)}` : counted;
}

/** The window has one trial at a time; leaving the form ends it. */
function useTrial(rule: Rule, setTrial: (trial: Trial) => void) {
  const app = useApp();
  const [isRunning, setRunning] = useState(false);
  // A ref too: the cleanup below sees only the state of its first render.
  const running = useRef(false);
  const stop = () => void attempt(app, () => app.api.request('rules.try-stop', {}));
  const run = () => {
    setRunning(true);
    running.current = true;
    void attempt(app, async () => {
      const { trial } = await app.api.request('rules.try', { session: app.table.sessionId, rule, redact: false });
      if (trial) setTrial(trial);
    }).finally(() => {
      running.current = false;
      setRunning(false);
    });
  };
  useEffect(
    () => () => {
      if (running.current) void app.api.request('rules.try-stop', {}).catch(() => null);
    },
    [app],
  );
  return { isRunning, run, stop };
}

/** One exchange, and what the rule would change in it. */
function Hit({ hit: { method, url, status, diffs, problem, console } }: { hit: TrialHit }) {
  const name = (
    <code>
      {method} {url} {status > 0 && status}
    </code>
  );
  return (
    <li>
      {diffs.length === 0 ? (
        <>
          {name} <span className="muted">unchanged</span>
        </>
      ) : (
        <details>
          <summary>{name}</summary>
          {diffs.map(({ side, before, after }) => (
            <Diff key={side} title={side === 'request' ? 'Request' : 'Response'} before={before} after={after} />
          ))}
        </details>
      )}
      {console.length > 0 && (
        <pre className="trial-console">
          {console.map(({ level, text }) => (level === 'log' ? text : `${level}: ${text}`)).join('\n')}
        </pre>
      )}
      {problem && <small className="problem-text">Not applied as written: {problem}.</small>}
    </li>
  );
}
