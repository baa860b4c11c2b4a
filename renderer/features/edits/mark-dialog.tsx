import { useState } from 'react';
import type { UserMark } from '../../../shared/model/edits/session-edits.ts';
import { MARK_COLOURS } from '../../../shared/model/rule/actions.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { useApp } from '../app-context.ts';
import { markExchange } from './edit-actions.ts';

/**
 * The colour, the note and the pin of an exchange. They are read once, when the dialog opens: a change by another
 * window must not replace a note that is being typed.
 */
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
      <TextArea
        label="Note"
        className="code-input"
        rows={4}
        maxLength={10_000}
        spellCheck
        value={mark.note}
        set={(note) => setMark({ ...mark, note })}
      />
      <Colours chosen={mark.colour} choose={(colour) => setMark({ ...mark, colour })} />
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

type Colour = UserMark['colour'];

/** A radio group is one tab stop, in which the arrow keys choose (WAI-ARIA Authoring Practices). */
function Colours({ chosen, choose }: { chosen: Colour; choose: (colour: Colour) => void }) {
  return (
    <fieldset className="ignored-changes">
      <legend>Colour</legend>
      {[null, ...MARK_COLOURS].map((colour) => (
        <label key={colour ?? 'none'}>
          <input type="radio" name="colour" checked={chosen === colour} onChange={() => choose(colour)} />
          {colour && <i className={`swatch mark-${colour}`} aria-hidden="true" />}
          {/* The name too, for users who can't tell two colours apart. */}
          {colour ?? 'none'}
        </label>
      ))}
    </fieldset>
  );
}
