import { useState } from 'react';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { attempt, useApp } from '../app-context.ts';
import { deleteSessions, limitsOf, type PruneLimits, sessionsTotal } from './pruning.ts';
import { readableName } from './session-name.ts';
import { sessionFacts } from './session-words.ts';

interface PruningProps {
  sessions: readonly SessionEntry[];
  /** Called with the sessions that are left. */
  onChange: (left: SessionEntry[]) => void;
}

/** Finds and deletes sessions. `found`: those that may be deleted on a confirmation; `gone`: those that were. */
function usePruning({ sessions, onChange }: PruningProps) {
  const app = useApp();
  const [found, setFound] = useState<readonly SessionEntry[] | null>(null);
  const [gone, setGone] = useState<readonly SessionEntry[] | null>(null);
  const forget = () => {
    setFound(null);
    setGone(null);
  };
  const find = async (limits: PruneLimits) => {
    const answer = await attempt(app, () => app.api.request('sessions.prunable', limits));
    if (answer === null) return;
    const paths = new Set(answer.paths);
    setFound(sessions.filter(({ path }) => paths.has(path)));
    setGone(null);
  };
  const remove = async (doomed: readonly SessionEntry[]) => {
    setFound(null);
    setGone(await deleteSessions(app, doomed, onChange));
  };
  return { found, gone, find, forget, remove };
}

/** Deletes sessions by age and by the size of all. It names them first, and afterwards lists what it deleted. */
export function PruningForm(props: PruningProps) {
  const [days, setDays] = useState('');
  const [gigabytes, setGigabytes] = useState('');
  const { found, gone, find, forget, remove } = usePruning(props);
  const limits = limitsOf(days, gigabytes);
  const search = () => void (limits && find(limits));
  /** Other limits find other sessions: nothing is deleted that was not named for these. */
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    forget();
  };
  return (
    <details className="session-pruning">
      <summary>Delete old sessions</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <div className="session-limits">
          <TextField label="Not changed for (days)" inputMode="numeric" value={days} set={change(setDays)} />
          <TextField label="Keep at most (GB)" inputMode="decimal" value={gigabytes} set={change(setGigabytes)} />
          <Button disabled={limits === null} onClick={search}>
            Find sessions
          </Button>
        </div>
        <small>Either or both. Open sessions and the recording stay. Nothing is deleted before you confirm.</small>
      </form>
      {found && <Found found={found} keep={forget} remove={() => void remove(found)} />}
      {gone && <Gone gone={gone} />}
    </details>
  );
}

/** The dialog may end above it. */
function bringIntoView(question: HTMLElement | null): void {
  question?.scrollIntoView({ block: 'nearest' });
}

/** As an alert, the question is read out at once. */
function Found({ found, keep, remove }: { found: readonly SessionEntry[]; keep: () => void; remove: () => void }) {
  if (found.length === 0) return <p role="status">No session is beyond these limits.</p>;
  return (
    <>
      <SessionNames sessions={found} />
      <div className="dialog-actions" role="alert" ref={bringIntoView}>
        <span>Delete {sessionsTotal(found)} for good?</span>
        <Button onClick={keep}>Keep</Button>
        <Button tone="primary" onClick={remove}>
          Delete {found.length === 1 ? 'file' : 'files'}
        </Button>
      </div>
    </>
  );
}

function Gone({ gone }: { gone: readonly SessionEntry[] }) {
  return (
    <div role="status">
      <b>{gone.length === 0 ? 'No session was deleted.' : `Deleted ${sessionsTotal(gone)}`}</b>
      <SessionNames sessions={gone} />
    </div>
  );
}

function SessionNames({ sessions }: { sessions: readonly SessionEntry[] }) {
  return (
    <ul>
      {sessions.map((entry) => (
        <li key={entry.path} title={entry.path}>
          {readableName(entry.name)} <small>{sessionFacts(entry)}</small>
        </li>
      ))}
    </ul>
  );
}
