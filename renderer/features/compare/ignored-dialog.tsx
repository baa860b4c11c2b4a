import { useState } from 'react';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../shared/model/compare/comparison.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { updateSettings } from '../actions.ts';
import { useApp } from '../app-context.ts';
import { compareSessions } from './comparison-actions.ts';

/** The first line that is no filter, as a sentence; null: all are. */
function problemIn(queries: readonly string[]): string | null {
  for (const query of queries) {
    const filter = compileFilter(query);
    if (!filter.ok) return `${query}: ${filter.problem.message}`;
  }
  return null;
}

/** What comparisons leave out: exchanges that match a filter, and kinds of changes. Saved with the settings. */
export function IgnoredDialog() {
  const app = useApp();
  const saved = app.store.getState().settings.compareIgnored;
  const [text, setText] = useState(saved.queries.join('\n'));
  const [changes, setChanges] = useState<readonly ChangeKind[]>(saved.changes);
  const queries = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const problem = problemIn(queries);
  const close = () => app.store.setState({ panel: null });
  const save = async () => {
    if (!(await updateSettings(app, { compareIgnored: { queries, changes: [...changes] } }))) return;
    close();
    const { comparison } = app.store.getState();
    if (comparison) await compareSessions(app, comparison.before, comparison.after);
  };
  return (
    <Dialog title="Ignored in comparisons" onClose={close}>
      <label className="field">
        Exchanges that match one of these filters, one a line
        <textarea
          className="code-input"
          rows={6}
          spellCheck={false}
          placeholder={'host:telemetry.*\npath:/health'}
          aria-invalid={problem !== null}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      <fieldset className="ignored-changes">
        <legend>Changes of</legend>
        {CHANGE_KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={changes.includes(kind)}
              onChange={({ target }) =>
                setChanges(target.checked ? [...changes, kind] : changes.filter((other) => other !== kind))
              }
            />
            {kind}
          </label>
        ))}
      </fieldset>
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button tone="primary" disabled={problem !== null} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}
