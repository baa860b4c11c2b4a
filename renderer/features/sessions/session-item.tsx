import { useState } from 'react';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { Button } from '../../ui/button.tsx';
import { sessionFacts } from './session-words.ts';

export interface SessionActions {
  open: (path: string) => void;
  record: (path: string) => void;
  duplicate: (path: string) => void;
  remove: (path: string) => void;
  describe: (path: string, name: string, note: string) => void;
}

/** A session file, its facts and what can be done with it. The recorded one can only be named and duplicated. */
export function SessionItem({ entry, actions }: { entry: SessionEntry; actions: SessionActions }) {
  const [mode, setMode] = useState<'shown' | 'naming' | 'removing'>('shown');
  const { path, name, note, ended, problem } = entry;
  const back = () => setMode('shown');
  return (
    <li className="session-item">
      <b title={path}>{name}</b>
      <small>{sessionFacts(entry)}</small>
      {note !== '' && <small>{note}</small>}
      {problem && <small className="bad">{problem}</small>}
      {mode === 'naming' && <NameForm entry={entry} save={actions.describe} onClose={back} />}
      {mode === 'removing' && (
        <div className="dialog-actions" role="alert">
          <span>Delete {name} and its recording?</span>
          <Button onClick={back}>Keep</Button>
          <Button tone="primary" onClick={() => actions.remove(path)}>
            Delete file
          </Button>
        </div>
      )}
      {mode === 'shown' && (
        <fieldset className="session-actions" aria-label={name}>
          {ended !== 'recording' && (
            <>
              <Button tone="quiet" onClick={() => actions.open(path)}>
                Open
              </Button>
              <Button tone="quiet" onClick={() => actions.record(path)}>
                Continue recording
              </Button>
            </>
          )}
          <Button tone="quiet" onClick={() => setMode('naming')}>
            Name and note
          </Button>
          <Button tone="quiet" onClick={() => actions.duplicate(path)}>
            Duplicate
          </Button>
          {ended !== 'recording' && (
            <Button tone="quiet" onClick={() => setMode('removing')}>
              Delete
            </Button>
          )}
        </fieldset>
      )}
    </li>
  );
}

interface NameProps {
  entry: SessionEntry;
  save: SessionActions['describe'];
  onClose: () => void;
}

function NameForm({ entry, save, onClose }: NameProps) {
  const [name, setName] = useState(entry.name);
  const [note, setNote] = useState(entry.note);
  return (
    <>
      <label className="field">
        Name
        <input type="text" maxLength={1000} value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="field">
        Note
        <input type="text" maxLength={1000} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          onClick={() => {
            save(entry.path, name.trim(), note.trim());
            onClose();
          }}
        >
          Save
        </Button>
      </div>
    </>
  );
}
