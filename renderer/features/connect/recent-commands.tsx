import { History, X } from 'lucide-react';
import type { RecentCommand } from '../../../shared/model/client.ts';
import { IconButton } from '../../ui/button.tsx';

interface RecentCommandsProps {
  /** Newest first. */
  commands: readonly RecentCommand[];
  /** The current input; only commands that contain it are shown. */
  typed: RecentCommand;
  /** Puts the command into the input. */
  onTake: (command: RecentCommand) => void;
  /** Removes the command from the host's list. */
  onForget: (command: RecentCommand) => void;
}

/** At most this many rows. */
const SHOWN = 4;

/**
 * Commands that were run before. A click copies one into the input without running it: the user may want to edit it.
 */
export function RecentCommands({ commands, typed, onTake, onForget }: RecentCommandsProps) {
  const part = typed.command.trim();
  // The command in the input is left out: choosing it would change nothing.
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
          <IconButton icon={X} label={`Remove ${one.command}`} title="Remove from list" onClick={() => onForget(one)} />
        </li>
      ))}
    </ul>
  );
}
