import { useState } from 'react';
import { MARK_COLOURS } from '../../../shared/model/rule/actions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useApp } from '../app-context.ts';
import { markExchange } from './edit-actions.ts';

/** The colour, the note and the pin of an exchange. */
export function MarkDialog() {
  const app = useApp();
  const [id] = useState(() => app.store.getState().marking ?? 0);
  const [mark, setMark] = useState(() => app.table.edits.markOf(id));
  const close = () => app.store.setState({ panel: null, marking: null });
  const save = async () => {
    await markExchange(app, id, mark);
    close();
  };
  return (
    <Dialog title={`Mark exchange ${id}`} onClose={close}>
      <label className="field">
        Note
        <textarea
          className="code-input"
          rows={4}
          maxLength={10_000}
          value={mark.note}
          onChange={(event) => setMark({ ...mark, note: event.target.value })}
        />
      </label>
      <fieldset className="ignored-changes">
        <legend>Colour</legend>
        {[null, ...MARK_COLOURS].map((colour) => (
          <label key={colour ?? 'none'}>
            <input
              type="radio"
              name="colour"
              checked={mark.colour === colour}
              onChange={() => setMark({ ...mark, colour })}
            />
            {colour && <i className={`swatch mark-${colour}`} aria-hidden="true" />}
            {colour ?? 'none'}
          </label>
        ))}
      </fieldset>
      <label className="ignored-changes">
        <span>
          <input
            type="checkbox"
            checked={mark.pinned}
            onChange={(event) => setMark({ ...mark, pinned: event.target.checked })}
          />{' '}
          Pin to the top of the list
        </span>
      </label>
      <div className="dialog-actions">
        <Button onClick={close}>Cancel</Button>
        <Button tone="primary" onClick={() => void save()}>
          Save
        </Button>
      </div>
    </Dialog>
  );
}
