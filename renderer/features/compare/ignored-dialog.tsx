import { useState } from 'react';
import { compileFilter } from '../../../shared/filter/compile.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../shared/model/compare/comparison.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { updateSettings } from '../actions.ts';
import { useApp } from '../app-context.ts';
import { compareSessions } from './comparison-actions.ts';

/** A sentence about the first line that is not a filter; null: all are. */
function problemIn(queries: readonly string[]): string | null {
  for (const query of queries) {
    const filter = compileFilter(query);
    if (!filter.ok) return `${query}: ${filter.problem.message}`;
  }
  return null;
}

/**
 * What comparisons leave out: exchanges that match a filter, and kinds of changes. Saved with the settings, which are
 * read once, when the dialog opens: another window's change must not replace what is being typed. An open comparison is
 * made again after Save.
 */
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
      <TextArea
        label="Exchanges that match one of these filters, one a line"
        className="code-input"
        rows={6}
        placeholder={'host:telemetry.*\npath:/health'}
        aria-invalid={problem !== null}
        value={text}
        set={setText}
      />
      {problem && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
      <ChangeKinds ignored={changes} setIgnored={setChanges} />
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button tone="primary" disabled={problem !== null} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}

interface ChangeKindsProps {
  ignored: readonly ChangeKind[];
  setIgnored: (kinds: readonly ChangeKind[]) => void;
}

/** A fieldset, whose legend names the group of check boxes for screen readers (WCAG 1.3.1). */
function ChangeKinds({ ignored, setIgnored }: ChangeKindsProps) {
  return (
    <fieldset className="ignored-changes">
      <legend>Changes of</legend>
      {CHANGE_KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="checkbox"
            checked={ignored.includes(kind)}
            onChange={({ target }) =>
              setIgnored(target.checked ? [...ignored, kind] : ignored.filter((other) => other !== kind))
            }
          />
          {kind}
        </label>
      ))}
    </fieldset>
  );
}
