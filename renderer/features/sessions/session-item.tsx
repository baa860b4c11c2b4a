import { useState } from 'react';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { readableName } from './session-name.ts';
import { sessionFacts } from './session-words.ts';

/** What can be done with a session file, by its path. */
export interface SessionActions {
  /** Opens it in a tab; nothing is recorded into it. */
  open: (path: string) => void;
  /** Ends the current recording and goes on recording into this file. */
  record: (path: string) => void;
  /** In the file manager of the host's machine. */
  reveal: (path: string) => void;
  duplicate: (path: string) => void;
  remove: (path: string) => void;
  describe: (path: string, name: string, note: string) => void;
}

/** A session file, its facts and what can be done with it. The recorded one can only be named and duplicated. */
export function SessionItem({ entry, actions }: { entry: SessionEntry; actions: SessionActions }) {
  const [mode, setMode] = useState<'shown' | 'naming' | 'removing'>('shown');
  const { path, note, problem } = entry;
  const name = readableName(entry.name);
  const back = () => setMode('shown');
  return (
    <li className="session-item">
      <p>
        <b title={path}>{name}</b> <small>{sessionFacts(entry)}</small>
      </p>
      {note !== '' && <small>{note}</small>}
      {problem && <small className="bad">{problem}</small>}
      {mode === 'naming' && <NameForm entry={entry} save={actions.describe} onClose={back} />}
      {mode === 'removing' && <Removal name={name} keep={back} remove={() => actions.remove(path)} />}
      {mode === 'shown' && (
        <ItemActions
          entry={entry}
          actions={actions}
          rename={() => setMode('naming')}
          remove={() => setMode('removing')}
        />
      )}
    </li>
  );
}

/** Asks first, because the file can't be restored. As an alert, the question is read out at once. */
function Removal({ name, keep, remove }: { name: string; keep: () => void; remove: () => void }) {
  return (
    <div className="dialog-actions" role="alert">
      <span>Delete {name} and its recording?</span>
      <Button onClick={keep}>Keep</Button>
      <Button tone="primary" onClick={remove}>
        Delete file
      </Button>
    </div>
  );
}

interface ItemActionsProps {
  entry: SessionEntry;
  actions: SessionActions;
  rename: () => void;
  remove: () => void;
}

/** The group has the session's name: a screen reader reads the buttons without their row. */
function ItemActions({ entry: { path, name, ended, problem }, actions, rename, remove }: ItemActionsProps) {
  const isRecorded = ended === 'recording';
  return (
    <fieldset className="session-actions" aria-label={readableName(name)}>
      {!isRecorded && (
        <Button tone="quiet" onClick={() => actions.open(path)}>
          Open
        </Button>
      )}
      {!isRecorded && problem === null && (
        <Button tone="quiet" onClick={() => actions.record(path)}>
          Continue recording
        </Button>
      )}
      <Button tone="quiet" onClick={rename}>
        Name and note
      </Button>
      <Button tone="quiet" onClick={() => actions.duplicate(path)}>
        Duplicate
      </Button>
      <Button tone="quiet" onClick={() => actions.reveal(path)}>
        Show in folder
      </Button>
      {!isRecorded && (
        <Button tone="quiet" onClick={remove}>
          Delete
        </Button>
      )}
    </fieldset>
  );
}

interface NameProps {
  entry: SessionEntry;
  save: SessionActions['describe'];
  onClose: () => void;
}

function NameForm({ entry, save, onClose }: NameProps) {
  const shown = readableName(entry.name);
  const [name, setName] = useState(shown);
  const [note, setNote] = useState(entry.note);
  return (
    <>
      <TextField label="Name" maxLength={1000} value={name} set={setName} />
      <TextField label="Note" maxLength={1000} value={note} set={setNote} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          onClick={() => {
            save(entry.path, name === shown ? entry.name : name.trim(), note.trim());
            onClose();
          }}
        >
          Save
        </Button>
      </div>
    </>
  );
}
