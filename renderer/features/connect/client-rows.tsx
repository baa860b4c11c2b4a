import { RotateCw, ShieldCheck, X } from 'lucide-react';
import type { Client } from '../../../shared/model/client.ts';
import { showToast } from '../../state/window-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { type App, attempt, useApp, useWindow } from '../app-context.ts';

/** Label and dot colour of each state. `labelOf` overrides the label where the kind of client says more. */
const STATES: Record<Client['state'], { label: string; dot: string }> = {
  starting: { label: 'Starting', dot: 'waiting' },
  ready: { label: 'Ready', dot: 'waiting' },
  captured: { label: 'Captured', dot: 'waiting' },
  trusted: { label: 'Captured and trusted', dot: 'trusted' },
  failed: { label: 'Not captured', dot: 'bad' },
  ended: { label: 'Ended', dot: '' },
};

/** Failures that trusting the CA fixes: their rows get a Trust button. */
const NOT_TRUSTED = ['capture.not-trusted', 'capture.host-refused'];

/**
 * The state in words, more precise than `STATES`: it has a command's exit code, and covers a client that rejected the
 * certificate but was captured.
 */
function labelOf({ state, kind, failure, exitCode }: Client): string {
  if (state === 'starting' && kind === 'by-hand') return 'Waiting for check';
  if (state === 'ended' && exitCode !== null && kind !== 'browser') return `Ended with exit code ${exitCode}`;
  if (failure && state === 'failed' && NOT_TRUSTED.includes(failure.code)) return 'Captured, not trusted';
  if (kind === 'command' && state === 'ready') return 'Waiting for first request';
  return STATES[state].label;
}

/** A hint under the state of a client that has no failure or warning; null: no hint. */
function noteOf({ kind, state, was }: Client): string | null {
  if (kind === 'terminal' && state === 'ready') return 'Programs in this terminal use the proxy and trust the CA.';
  if (state !== 'ended' || kind === 'browser') return null;
  if (was === 'trusted') return 'Was captured and trusted.';
  return was === 'captured' ? 'Was captured.' : null;
}

/** Starts a new check. The host can't open a page in a terminal or a manual client: the toast says what to do there. */
async function checkAgain(app: App, { id, kind, name }: Client): Promise<void> {
  const check = await attempt(app, () => app.api.request('clients.check', { id }));
  if (!check || check.opened) return;
  const message = isOfTerminal(kind)
    ? `Waiting for a new request from ${name}.`
    : `Open ${check.url} in ${name}. Its row shows the result.`;
  showToast(app.store, { tone: 'done', code: null, message, link: null });
}

/** A terminal or a command in one: the host can't open a page there; a check waits for its next request. */
const isOfTerminal = (kind: Client['kind']): boolean => kind === 'terminal' || kind === 'command';

/**
 * Lists the programs started or checked from this window, each with the capture state that the engine observed. The
 * list is a live region: a state changes while the user works in the other program (WCAG 4.1.3).
 */
export function ClientRows() {
  const clients = useWindow((state) => state.clients);
  if (clients.length === 0) return null;
  return (
    <ul className="clients" aria-label="Programs" aria-live="polite">
      {clients.map((client) => (
        <ClientRow key={client.id} client={client} />
      ))}
    </ul>
  );
}

/** One client with its state, its failure or warning, and buttons. Removing a running browser also closes it. */
function ClientRow({ client }: { client: Client }) {
  const app = useApp();
  const { id, name, kind, state, failure, warning, checkUrl } = client;
  const reason = failure ?? warning;
  const note = noteOf(client);
  return (
    <li className={state}>
      <i className={`dot ${STATES[state].dot}`} />
      <b title={name}>{name}</b>
      <span className="client-state">{labelOf(client)}</span>
      {/* Trusting the CA needs the other dialog: it replaces this one. */}
      {failure && NOT_TRUSTED.includes(failure.code) && (
        <Button tone="quiet" icon={ShieldCheck} onClick={() => app.store.setState({ panel: 'trust' })}>
          Trust
        </Button>
      )}
      {state !== 'ended' && state !== 'starting' && (
        <IconButton
          icon={RotateCw}
          label={`Check ${name} again`}
          title="Check again"
          onClick={() => void checkAgain(app, client)}
        />
      )}
      <IconButton
        icon={X}
        label={kind === 'browser' && state !== 'ended' ? `Close ${name}` : `Remove ${name}`}
        title={kind === 'browser' && state !== 'ended' ? 'Close browser' : 'Remove from list'}
        onClick={() => void attempt(app, () => app.api.request('clients.remove', { id }))}
      />
      {reason && (
        <small className={failure ? 'bad' : 'warn'}>
          {reason.message} <code>{reason.code}</code>
        </small>
      )}
      {note && !reason && <small>{note}</small>}
      {kind === 'by-hand' && state === 'starting' && <CopyLine text={checkUrl} label="Copy check address" />}
    </li>
  );
}
