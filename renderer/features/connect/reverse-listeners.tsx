import { Plus, X } from 'lucide-react';
import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import { parseReverse, type ReverseListener, type ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** One array for all calls: `useWindow` would render forever with a new one each time. */
const NONE: readonly ReverseStatus[] = [];
const EMPTY: ReverseListener = { listen: '', origin: '', keepHost: false };

/** Listeners have no id: their fields identify them. */
function isSame(a: ReverseListener, b: ReverseListener): boolean {
  return a.listen === b.listen && a.origin === b.origin && a.keepHost === b.keepHost;
}

/** Addresses at which Roundtrip answers as an origin, for programs that can't be given a proxy. */
export function ReverseListeners() {
  const app = useApp();
  const saved = useWindow((state) => state.settings.reverse);
  const states = useWindow((state) => state.engine?.reverse ?? NONE);
  const set = (reverse: ReverseListener[]) => updateSettings(app, { reverse });
  return (
    <PanelSection title="Programs without proxy settings">
      <small>
        A reverse listener answers as if it were a server: point the program at it instead, and its requests are
        recorded.
      </small>
      {saved.length > 0 && (
        <ul className="clients" aria-label="Reverse listeners" aria-live="polite">
          {saved.map((one) => (
            <Listener
              key={JSON.stringify(one)}
              of={one}
              status={states.find((state) => isSame(state, one)) ?? null}
              remove={() => void set(saved.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
      <NewListener known={saved} add={(one) => set([...saved, one])} />
    </PanelSection>
  );
}

interface ListenerProps {
  of: ReverseListener;
  /** Null until the engine has reported it. */
  status: ReverseStatus | null;
  remove: () => void;
}

/** A listener and its state. Until the engine has reported its URL, the row shows the address as it was entered. */
function Listener({ of: { listen, origin, keepHost }, status, remove }: ListenerProps) {
  const url = status?.url ?? '';
  const name = url || (listen === '0' ? 'Any free port' : listen);
  return (
    <li>
      <i className={`dot ${status?.failure ? 'bad' : url === '' ? 'waiting' : 'trusted'}`} />
      <b title={name}>{name}</b>
      {url !== '' && <CopyButton text={url} label={`Copy ${url}`} />}
      <span className="client-state">
        {`answers as ${origin}`}
        {keepHost && ', Host kept'}
      </span>
      <IconButton icon={X} label={`Remove the listener for ${origin}`} title="Remove" onClick={remove} />
      {status?.failure && <small className="warn">{status.failure.message}</small>}
    </li>
  );
}

interface NewListenerProps {
  known: readonly ReverseListener[];
  /** Resolves with whether the host accepted it. */
  add: (listener: ReverseListener) => Promise<boolean>;
}

/** The form for another listener; Enter in either field adds it. Port 0 lets the system choose a free one. */
function NewListener({ known, add }: NewListenerProps) {
  const [draft, setDraft] = useState(EMPTY);
  const listener = { ...draft, listen: draft.listen || '0' };
  const place = parseReverse(listener);
  const isKnown = known.some((one) => isSame(one, listener));
  const problem = isKnown ? 'this listener is already in the list' : typeof place === 'string' ? place : null;
  const submit = async () => {
    if (problem !== null) return;
    // Cleared at once: the next listener may be typed before the host replies.
    setDraft(EMPTY);
    if (!(await add(listener))) setDraft(draft);
  };
  const field = (name: 'origin' | 'listen') => ({
    type: 'text',
    spellCheck: false,
    value: draft[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => setDraft({ ...draft, [name]: event.target.value.trim() }),
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && void submit(),
  });
  return (
    <>
      <div className="form-line">
        <input {...field('origin')} aria-label="Server to answer as" placeholder="https://api.example.com" />
        <input {...field('listen')} aria-label="Port, or address and port" placeholder="Port (default: any free one)" />
        <Button icon={Plus} disabled={problem !== null} onClick={() => void submit()}>
          Add
        </Button>
      </div>
      {draft.origin !== '' && problem !== null && (
        <p className="bad">{problem[0]?.toUpperCase() + problem.slice(1)}.</p>
      )}
      <Choice
        label="Keep the Host that the program sends"
        hint="Otherwise the server sees its own name."
        checked={draft.keepHost}
        set={(keepHost) => setDraft({ ...draft, keepHost })}
      />
    </>
  );
}
