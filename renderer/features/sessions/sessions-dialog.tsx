import { useEffect, useState } from 'react';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { attempt, useApp } from '../app-context.ts';
import { ImportForm } from './import-form.tsx';
import { PruningForm } from './pruning-form.tsx';
import { recordInto } from './record-into.ts';
import { type SessionActions, SessionItem } from './session-item.tsx';
import { matchingSessions } from './session-words.ts';

/**
 * The session files, and what can be done with one. `close`: closes the dialog, because the window shows something
 * else.
 */
function useSessionFiles(close: () => void) {
  const app = useApp();
  const { api } = app;
  const [sessions, setSessions] = useState<readonly SessionEntry[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    void attempt(app, () => app.api.request('sessions.recent', {})).then((recent) => {
      setFailed(recent === null);
      if (recent) setSessions(recent.sessions);
    });
  }, [app]);
  // Each reply is the whole current list: other windows change it too.
  const change = async (work: () => Promise<{ sessions: SessionEntry[] }>) => {
    const recent = await attempt(app, work);
    if (recent) setSessions(recent.sessions);
  };
  // A failure keeps the dialog open, for another choice.
  const leave = async (work: () => Promise<unknown>) => {
    if ((await attempt(app, work)) !== null) close();
  };
  const actions: SessionActions = {
    open: (path) => void leave(() => api.request('sessions.open', { path })),
    record: (path) => void leave(() => recordInto(app, path)),
    reveal: (path) => void attempt(app, () => api.request('sessions.reveal', { path })),
    duplicate: (path) => void change(() => api.request('sessions.duplicate', { path })),
    remove: (path) => void change(() => api.request('sessions.remove', { path })),
    describe: (path, name, note) => void change(() => api.request('sessions.describe', { path, name, note })),
  };
  return { sessions, setSessions, failed, actions };
}

/** The session files of the data folder, and a form for any other file. */
export function SessionsDialog() {
  const app = useApp();
  const close = () => app.store.setState({ panel: null });
  const { sessions, setSessions, failed, actions } = useSessionFiles(close);
  const [text, setText] = useState('');
  const found = matchingSessions(sessions ?? [], text);
  return (
    <Dialog title="Sessions" wide onClose={close}>
      <TextField label="Filter sessions" data-initial-focus value={text} set={setText} />
      {failed && <p role="alert">The sessions could not be listed. Close this and try again.</p>}
      {sessions === null && !failed && <p role="status">Reading the sessions…</p>}
      {sessions !== null && found.length === 0 && (
        <p role="status">{sessions.length === 0 ? 'There are no sessions yet.' : 'No session matches the filter.'}</p>
      )}
      <ul className="session-items">
        {found.map((entry) => (
          <SessionItem key={entry.path} entry={entry} actions={actions} />
        ))}
      </ul>
      <ImportForm />
      {sessions !== null && <PruningForm sessions={sessions} onChange={setSessions} />}
    </Dialog>
  );
}
