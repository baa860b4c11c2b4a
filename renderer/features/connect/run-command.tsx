import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { InputOf } from '../../../shared/contract/requests.ts';
import { showToast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp } from '../app-context.ts';

type As = InputOf<'clients.run'>['as'];

const KINDS: Record<As, { label: string; placeholder: string; about: string }> = {
  command: {
    label: 'Command',
    placeholder: 'npm test',
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
  const [as, setAs] = useState<As>('command');
  const [command, setCommand] = useState('');
  const empty = command.trim() === '';
  const run = async () => {
    const client = await attempt(app, () => app.api.request('clients.run', { command, as }));
    if (!client) return;
    const message = 'A terminal shows the command. Press Enter there to run it.';
    showToast(app.store, { tone: 'done', code: null, message, link: null });
  };
  return (
    <PanelSection title="Run a command">
      <form
        className="form-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (!empty) void run();
        }}
      >
        <select
          className="kind"
          aria-label="Kind of program"
          value={as}
          onChange={(event) => setAs(event.target.value as As)}
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
          onChange={(event) => setCommand(event.target.value)}
        />
        <Button icon={SquareTerminal} disabled={empty} onClick={() => void run()}>
          Run
        </Button>
      </form>
      <small>A terminal opens, shows it, and runs it once you press Enter there. {KINDS[as].about}</small>
    </PanelSection>
  );
}
