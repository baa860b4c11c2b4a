import { useRef, useState } from 'react';
import type { HeldSummary } from '../../../shared/model/rule/held-message.ts';
import { BottomPanel } from '../../ui/bottom-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { useHostNow } from '../use-host-now.ts';
import { releaseAll } from './break-actions.ts';
import { type HeldEdit, HeldView } from './held-view.tsx';

/**
 * The queue of held messages, below the list of exchanges. It opens only when the user asks for it, and messages that
 * arrive change neither the selection nor the focus.
 */
export function BreaksPanel() {
  const app = useApp();
  const held = useWindow((state) => state.held);
  const panel = useRef<HTMLElement>(null);
  // A ref: the open message draws what is typed; the panel need not draw again.
  const edits = useRef(new Map<number, HeldEdit>());
  const [chosen, setChosen] = useState<number | null>(null);
  const selected = held.find(({ id }) => id === chosen) ?? held[0] ?? null;
  return (
    <BottomPanel
      ref={panel}
      className="breaks"
      label="Breakpoints"
      title="Breakpoints"
      header={<QueueHeader count={held.length} />}
      close={() => app.store.setState({ breaksOpen: false })}
    >
      {selected === null ? (
        <p className="muted pad">Nothing is held. The row menu’s “Break on this” makes a rule that holds messages.</p>
      ) : (
        <div className="breaks-split">
          <HeldList held={held} selected={selected.id} select={setChosen} />
          <HeldView
            key={selected.id}
            summary={selected}
            edits={edits.current}
            onReleased={() => {
              setChosen(null);
              // The released message's buttons are gone.
              panel.current?.focus();
            }}
          />
        </div>
      )}
    </BottomPanel>
  );
}

/** The button needs two messages: a single one has its own Continue. */
function QueueHeader({ count }: { count: number }) {
  const app = useApp();
  return (
    <>
      <span className="muted">{count === 1 ? '1 message is held' : `${count} messages are held`}</span>
      <span className="spring" />
      {count > 1 && <Button onClick={() => void releaseAll(app)}>Continue all</Button>}
    </>
  );
}

/** Shown in place of a method or a status. The line below has the words. */
const ARROWS = { 'to-server': '↑', 'to-client': '↓' } as const;

/** `selected` and `select`: ids of held messages, not of exchanges. */
interface HeldListProps {
  held: readonly HeldSummary[];
  selected: number;
  select: (id: number) => void;
}

/** The queue as buttons. `aria-current` marks the open message, as ARIA asks for in a set of related items. */
function HeldList({ held, selected, select }: HeldListProps) {
  const now = useHostNow(true);
  return (
    <ul className="side-list held-list">
      {held.map((each) => (
        <li key={each.id}>
          <button type="button" aria-current={each.id === selected} onClick={() => select(each.id)}>
            <b>{each.status ?? (each.direction === null ? each.method : ARROWS[each.direction])}</b>
            <span className="held-url">{each.url}</span>
            <small>
              {each.direction === null ? each.side : `message ${each.direction.replace('-', ' ')}`} · {each.rule} ·{' '}
              {timeOf(each, now)}
              {each.clientLeft && <span className="warning"> · client disconnected</span>}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How long the message has been held, or how long it still is. Whole seconds: it is read, not measured. */
function timeOf({ heldAt, continuesAt }: HeldSummary, now: number): string {
  return continuesAt === null ? `held ${inSeconds(now - heldAt)}` : `continues in ${inSeconds(continuesAt - now)}`;
}

/** Clamped at 0: the end of a wait may have passed before the host reports that the message was released. */
function inSeconds(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
