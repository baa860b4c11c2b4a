import { useEffect, useState } from 'react';
import type { HeldMessage, HeldSummary, Release } from '../../../shared/model/rule/held-message.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attempt, useApp } from '../app-context.ts';
import { releaseHeld } from './break-actions.ts';
import { ANSWER, answerOf, type DraftResult, draftOf, type HeldDraft, releaseOf } from './held-draft.ts';
import { HeldForm } from './held-form.tsx';

/** What was typed for one message; it is kept while another message is shown. */
export interface HeldEdit {
  message: HeldMessage;
  draft: HeldDraft;
  /** The answer in place of upstream; null: the request itself is edited. */
  answer: HeldDraft | null;
}

interface HeldViewProps {
  summary: HeldSummary;
  /** Keyed by the message's id. The panel owns it: this view is mounted again for each message. */
  edits: Map<number, HeldEdit>;
  /** The message was released. */
  onReleased: () => void;
}

/**
 * What was typed for the message before, or the message as the host holds it; null until it is read. It is read once: a
 * second reply would replace what the user has typed.
 */
function useHeldEdit(id: number, edits: Map<number, HeldEdit>) {
  const app = useApp();
  const [edit, setEdit] = useState<HeldEdit | null>(() => edits.get(id) ?? null);
  const isRead = edit !== null;
  useEffect(() => {
    if (isRead) return;
    void attempt(app, () => app.api.request('breaks.get', { id })).then((message) => {
      if (message) setEdit({ message, draft: draftOf(message), answer: null });
    });
  }, [app, id, isRead]);
  const keep = (changed: HeldEdit) => {
    edits.set(id, changed);
    setEdit(changed);
  };
  return { edit, keep };
}

/** One held message: its editor, and the buttons that release it. */
export function HeldView({ summary, edits, onReleased }: HeldViewProps) {
  const app = useApp();
  const { id } = summary;
  const { edit, keep } = useHeldEdit(id, edits);
  if (edit === null) return <div className="held-view" />;
  const { message, draft, answer } = edit;
  const result = answer ? answerOf(answer) : releaseOf(message, draft);
  const release = async (how: Release, body: string | null) => {
    if (!(await releaseHeld(app, id, how, body))) return;
    edits.delete(id);
    onReleased();
  };
  return (
    <div className="held-view">
      <div className="held-actions">
        <HeldActions edit={edit} result={result} keep={keep} release={(how, body) => void release(how, body)} />
        <span className="spring" />
        {summary.clientLeft && <span className="warning">The client has disconnected</span>}
      </div>
      {/* A new key mounts a new editor: its undo must not lead from the answer back to the message. */}
      <HeldForm
        key={answer ? 'answer' : 'message'}
        message={message}
        isResponse={answer !== null || message.side === 'response'}
        draft={answer ?? draft}
        result={result}
        onChange={(changed) => keep(answer ? { ...edit, answer: changed } : { ...edit, draft: changed })}
      />
    </div>
  );
}

interface HeldActionsProps {
  edit: HeldEdit;
  result: DraftResult;
  /** Draws the change, and keeps it for the next time the message is shown. */
  keep: (edit: HeldEdit) => void;
  /** `body`: the edited body; null: unchanged. */
  release: (how: Release, body: string | null) => void;
}

/** How the message can continue. A stream's message is dropped, not aborted: its stream continues. */
function HeldActions({ edit, result, keep, release }: HeldActionsProps) {
  const { message, answer } = edit;
  const isEdited = result.ok && result.release.how !== 'continue';
  return (
    <>
      <Button tone="primary" disabled={!result.ok} onClick={() => result.ok && release(result.release, result.body)}>
        {answer ? 'Send answer' : isEdited ? 'Send edited' : 'Continue'}
      </Button>
      {(isEdited || answer) && <Button onClick={() => release({ how: 'continue' }, null)}>Continue unchanged</Button>}
      {message.side === 'request' && (
        <Button onClick={() => keep({ ...edit, answer: answer ? null : ANSWER })}>
          {answer ? 'Edit the request' : 'Answer instead'}
        </Button>
      )}
      {message.side === 'message' ? (
        <Button onClick={() => release({ how: 'abort', status: null }, null)}>Drop</Button>
      ) : (
        <AbortButton abort={(status) => release({ how: 'abort', status }, null)} />
      )}
    </>
  );
}

/** Statuses that an abort may answer with. */
const ABORTS = [403, 500, 503] as const;

/** A menu with the ways to abort. `abort` gets the status to answer with; null resets the connection. */
function AbortButton({ abort }: { abort: (status: number | null) => void }) {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const statuses = ABORTS.map((status) => ({ label: `Answer ${status}`, run: () => abort(status) }));
  return (
    <span className="held-abort">
      <Button
        onClick={() => {
          const { left = 0, bottom = 0 } = document.querySelector('.held-abort')?.getBoundingClientRect() ?? {};
          setAt({ x: left, y: bottom + 4 });
        }}
      >
        Abort…
      </Button>
      {at && (
        <Menu
          label="Abort"
          at={at}
          groups={[[{ label: 'Reset the connection', run: () => abort(null) }], statuses]}
          onClose={() => setAt(null)}
        />
      )}
    </span>
  );
}
