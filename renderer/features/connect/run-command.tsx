import { FolderOpen, SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { RecentCommand } from '../../../shared/model/client.ts';
import { showToast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { RecentCommands } from './recent-commands.tsx';

type As = RecentCommand['as'];
type Recent = OutputOf<'commands.recent'>;

/**
 * An Electron app gets Chromium's command-line switches from the host; any other command gets environment variables.
 */
const KINDS: Record<As, { label: string; placeholder: string; about: string }> = {
  command: {
    label: 'Command',
    placeholder: 'cd ~/project && npm test',
    about: 'The proxy and the certificate are set in its environment.',
  },
  electron: {
    label: 'Electron app',
    placeholder: '/opt/Example/example',
    about:
      'Quit the app first. Its windows use the proxy, trust the CA and keep the app’s data. Requests that its main ' +
      'process sends with Node’s http module instead of Electron’s net bypass the proxy.',
  },
};

/** The commands that were run, and what can be done with them. */
function useCommands() {
  const app = useApp();
  const [recent, setRecent] = useState<Recent>({ commands: [], canChoose: false });
  // A failed request leaves the list as it was.
  const take = (next: Recent | null | undefined) => next && setRecent(next);
  useEffect(() => {
    void attempt(app, () => app.api.request('commands.recent', {})).then((next) => next && setRecent(next));
  }, [app]);
  const run = async (command: RecentCommand) => {
    const client = await attempt(app, () => app.api.request('clients.run', command));
    if (!client) return;
    const message = 'The command is ready in a terminal. Press Enter there to run it.';
    showToast(app.store, { tone: 'done', code: null, message, link: null });
    // The host has added the command, or moved it to the top.
    take(await attempt(app, () => app.api.request('commands.recent', {})));
  };
  const choose = async (as: As): Promise<string | null> => {
    const chosen = await attempt(app, () => app.api.request('commands.choose', { as }));
    return chosen?.command ?? null;
  };
  const forget = async (one: RecentCommand) => take(await attempt(app, () => app.api.request('commands.forget', one)));
  return { recent, run, choose, forget };
}

/**
 * Runs a command in a terminal, which stays open after the command ends and keeps its output. The host never runs the
 * command itself: the user presses Enter in the terminal, where a compromised page can't reach.
 */
export function RunCommand() {
  const listening = useWindow((state) => (state.engine?.proxyUrl ?? '') !== '');
  const [typed, setTyped] = useState<RecentCommand>({ as: 'command', command: '' });
  const { recent, run, choose, forget } = useCommands();
  const { as, command } = typed;
  const ready = listening && command.trim() !== '';
  const pick = async () => {
    const chosen = await choose(as);
    if (chosen) setTyped({ as, command: chosen });
  };
  return (
    <PanelSection title="Run a command">
      <form
        className="form-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void run(typed);
        }}
      >
        <CommandFields typed={typed} setTyped={setTyped} />
        {/* Only the desktop app has a file dialog that returns a path. */}
        {recent.canChoose && (
          <Button icon={FolderOpen} title="Choose a program file" onClick={() => void pick()}>
            Choose
          </Button>
        )}
        <Button icon={SquareTerminal} disabled={!ready} onClick={() => void run(typed)}>
          Run
        </Button>
      </form>
      <RecentCommands commands={recent.commands} typed={typed} onTake={setTyped} onForget={(one) => void forget(one)} />
      <small>Opens a terminal with the command. Press Enter there to run it. {KINDS[as].about}</small>
    </PanelSection>
  );
}

/** The fields have no state: a recent command fills both of them. */
interface CommandFieldsProps {
  typed: RecentCommand;
  setTyped: (typed: RecentCommand) => void;
}

function CommandFields({ typed: { as, command }, setTyped }: CommandFieldsProps) {
  return (
    <>
      <select
        className="kind"
        aria-label="Kind of program"
        value={as}
        onChange={(event) => setTyped({ command, as: event.target.value as As })}
      >
        {Object.entries(KINDS).map(([kind, { label }]) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </select>
      <input
        type="text"
        aria-label="Command to run"
        value={command}
        spellCheck={false}
        placeholder={KINDS[as].placeholder}
        onChange={(event) => setTyped({ as, command: event.target.value })}
      />
    </>
  );
}
