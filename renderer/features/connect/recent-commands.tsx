import { History, X } from 'lucide-react';
import type { RecentCommand } from '../../../shared/model/client.ts';

interface RecentCommandsProps {
  /** The last first. */
  commands: readonly RecentCommand[];
  /** What stands in the field: those that have it in them are shown. */
  typed: RecentCommand;
  onTake: (command: RecentCommand) => void;
  onForget: (command: RecentCommand) => void;
}

const SHOWN = 4;

/** What was run before, to be taken into the field again. It is not run by that: its user may want to change it. */
export function RecentCommands({ commands, typed, onTake, onForget }: RecentCommandsProps) {
  const part = typed.command.trim();
  const fitting = commands.filter(({ command, as }) => command.includes(part) && (command !== part || as !== typed.as));
  if (fitting.length === 0) return null;
  return (
    <ul className="recent-commands" aria-label="Recent commands">
      {fitting.slice(0, SHOWN).map((one) => (
        <li key={`${one.as} ${one.command}`}>
          <button type="button" className="recent-command" title={one.command} onClick={() => onTake(one)}>
            <History size={13} aria-hidden="true" />
            <code>{one.command}</code>
            {one.as === 'electron' && <span>Electron app</span>}
          </button>
          <button
            type="button"
            className="copy"
            aria-label={`Forget ${one.command}`}
            title="Forget it"
            onClick={() => onForget(one)}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
