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

const KINDS: Record<As, { label: string; placeholder: string; about: string }> = {
  command: {
    label: 'Command',
    placeholder: 'cd ~/project && npm test',
    about: 'It gets the proxy and the certificate in its environment.',
  },
  electron: {
    label: 'Electron app',
    placeholder: '/opt/Example/example',
    about:
      'Its windows go through the proxy and trust the CA, with the app’s own data. Quit it first. What its main process asks by Node’s own http, not by Electron’s net, goes past.',
  },
};

/** Any command, in a terminal that keeps what it says. */
export function RunCommand() {
  const app = useApp();
  const listening = useWindow((state) => (state.engine?.proxyUrl ?? '') !== '');
  const [typed, setTyped] = useState<RecentCommand>({ as: 'command', command: '' });
  const [recent, setRecent] = useState<Recent>({ commands: [], canChoose: false });
  const { as, command } = typed;
  const ready = listening && command.trim() !== '';
  const take = (next: Recent | null | undefined) => next && setRecent(next);
  useEffect(() => {
    void attempt(app, () => app.api.request('commands.recent', {})).then((next) => next && setRecent(next));
  }, [app]);
  const run = async () => {
    const client = await attempt(app, () => app.api.request('clients.run', { command, as }));
    if (!client) return;
    const message = 'A terminal shows the command. Press Enter there to run it.';
    showToast(app.store, { tone: 'done', code: null, message, link: null });
    take(await attempt(app, () => app.api.request('commands.recent', {})));
  };
  const choose = async () => {
    const chosen = await attempt(app, () => app.api.request('commands.choose', { as }));
    if (chosen?.command) setTyped({ as, command: chosen.command });
  };
  const forget = async (one: RecentCommand) => take(await attempt(app, () => app.api.request('commands.forget', one)));
  return (
    <PanelSection title="Run a command">
      <form
        className="form-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void run();
        }}
      >
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
        {recent.canChoose && (
          <Button icon={FolderOpen} title="Choose a program from a folder" onClick={() => void choose()}>
            Choose
          </Button>
        )}
        <Button icon={SquareTerminal} disabled={!ready} onClick={() => void run()}>
          Run
        </Button>
      </form>
      <RecentCommands commands={recent.commands} typed={typed} onTake={setTyped} onForget={(one) => void forget(one)} />
      <small>A terminal opens, shows it, and runs it once you press Enter there. {KINDS[as].about}</small>
    </PanelSection>
  );
}
