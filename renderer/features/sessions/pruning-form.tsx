import { useState } from 'react';
import { formatBytes } from '../../../shared/format/sizes.ts';
import { NO_PRUNING, type PruneLimits } from '../../../shared/model/session/prune-limits.ts';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { updateSettings } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import {
  canLast,
  deleteSessions,
  inUseInWords,
  isSet,
  lastingLimits,
  limitsInWords,
  limitsOf,
  sessionsTotal,
  textsOf,
} from './pruning.ts';
import { readableName } from './session-name.ts';
import { sessionFacts } from './session-words.ts';
import { usePruned } from './use-pruned.ts';

interface PruningProps {
  sessions: readonly SessionEntry[];
  /** Called with the sessions that are left. */
  onChange: (left: SessionEntry[]) => void;
}

/** What exceeds the limits; `inUse`: how many sessions stay because another window or command has them open. */
interface FoundSessions {
  sessions: readonly SessionEntry[];
  inUse: number;
}

/** Finds and deletes sessions. `found`: those that may be deleted on a confirmation; `gone`: those that were. */
function usePruning({ sessions, onChange }: PruningProps) {
  const app = useApp();
  const [found, setFound] = useState<FoundSessions | null>(null);
  const [gone, setGone] = useState<readonly SessionEntry[] | null>(null);
  const forget = () => {
    setFound(null);
    setGone(null);
  };
  const find = async (limits: PruneLimits) => {
    const reply = await attempt(app, () => app.api.request('sessions.prunable', limits));
    if (reply === null) return;
    const paths = new Set(reply.paths);
    setFound({ sessions: sessions.filter(({ path }) => paths.has(path)), inUse: reply.inUse.length });
    setGone(null);
  };
  const remove = async (doomed: readonly SessionEntry[]) => {
    setFound(null);
    setGone(await deleteSessions(app, doomed, onChange));
  };
  return { found, gone, find, forget, remove };
}

/** Whether the limits apply at each start, too: a setting. `save` is called when a field is left. */
function useLasting(days: string, gigabytes: string) {
  const app = useApp();
  const saved = useWindow((state) => state.settings.pruning);
  const limits = limitsOf(days, gigabytes);
  // Until the host has answered: a field may be changed and left before that.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOn = chosen ?? isSet(saved);
  const set = (pruning: PruneLimits) => updateSettings(app, { pruning });
  return {
    isOn,
    canBeOn: isOn || (limits !== null && canLast(limits)),
    toggle: (on: boolean) => {
      setChosen(on);
      void set(on && limits ? limits : NO_PRUNING).finally(() => setChosen(null));
    },
    save: () => {
      const next = lastingLimits(days, gigabytes, saved);
      if (isOn && next !== saved) void set(next);
    },
  };
}

/** Deletes sessions by age and total size. It lists them first, and afterwards what it deleted. */
export function PruningForm(props: PruningProps) {
  const saved = useWindow((state) => state.settings.pruning);
  const [days, setDays] = useState(() => textsOf(saved).days);
  const [gigabytes, setGigabytes] = useState(() => textsOf(saved).gigabytes);
  const { found, gone, find, forget, remove } = usePruning(props);
  const lasting = useLasting(days, gigabytes);
  const limits = limitsOf(days, gigabytes);
  const search = () => void (limits && find(limits));
  /** Other limits find other sessions: only sessions listed for these limits are deleted. */
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    forget();
  };
  return (
    <details className="session-pruning">
      <summary>Delete old sessions{lasting.isOn && <small> at each start: {limitsInWords(saved)}</small>}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <fieldset className="session-limits" onBlur={lasting.save}>
          <TextField label="Not changed for (days)" inputMode="numeric" value={days} set={change(setDays)} />
          <TextField label="Keep at most (GB)" inputMode="decimal" value={gigabytes} set={change(setGigabytes)} />
          <Button disabled={limits === null} onClick={search}>
            Find sessions
          </Button>
        </fieldset>
        <small>Set one or both. Open sessions and the recording are kept. Nothing is deleted until you confirm.</small>
        <LastingChoice lasting={lasting} />
      </form>
      {found && <Found found={found} keep={forget} remove={() => void remove(found.sessions)} />}
      {gone && <Gone gone={gone} />}
      <Pruned />
    </details>
  );
}

function LastingChoice({ lasting }: { lasting: ReturnType<typeof useLasting> }) {
  return (
    <Choice
      label="Delete them each time Roundtrip starts, without asking"
      hint="Roundtrip reports what it deleted"
      checked={lasting.isOn}
      disabled={!lasting.canBeOn}
      set={lasting.toggle}
    />
  );
}

/** What this start deleted automatically. */
function Pruned() {
  const pruned = usePruned();
  if (pruned.length === 0) return null;
  return (
    <div role="status">
      <b>Deleted at startup: {sessionsTotal(pruned)}</b>
      <ul>
        {pruned.map(({ path, name, bytes }) => (
          <li key={path} title={path}>
            {readableName(name)} <small>{formatBytes(bytes)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** It may be below the dialog's visible part. */
function bringIntoView(question: HTMLElement | null): void {
  question?.scrollIntoView({ block: 'nearest' });
}

/** As an alert, the question is read out at once. */
function Found({ found, keep, remove }: { found: FoundSessions; keep: () => void; remove: () => void }) {
  const { sessions, inUse } = found;
  const stay = inUse > 0 && <p role="status">{inUseInWords(inUse)}</p>;
  if (sessions.length === 0) return stay || <p role="status">No session exceeds these limits.</p>;
  return (
    <>
      <SessionNames sessions={sessions} />
      {stay}
      <div className="dialog-actions" role="alert" ref={bringIntoView}>
        <span>Permanently delete {sessionsTotal(sessions)}?</span>
        <Button onClick={keep}>Keep</Button>
        <Button tone="primary" onClick={remove}>
          Delete {sessions.length === 1 ? 'file' : 'files'}
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
