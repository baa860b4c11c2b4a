import { counted } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { readableName, readableTime } from './session-name.ts';

const ENDED = { recording: 'recording now', closed: 'closed', recovered: 'recovered after a crash' };

/** Date (unless it is the name), count, size and end of a session, in one line; what is unknown is left out. */
export function sessionFacts({ name, startedAt, exchanges, bytes, ended, problem }: SessionEntry): string {
  const isDated = readableName(name) !== name;
  const date = startedAt === null || isDated ? [] : [readableTime(startedAt)];
  const count = exchanges === null ? [] : [counted(exchanges, 'exchange')];
  // Of a file that can't be opened, nothing is known.
  const end = exchanges === null && problem !== null && ended === 'closed' ? [] : [ENDED[ended]];
  return [...date, ...count, formatBytes(bytes), ...end].join(', ');
}

/** The sessions with this text in their name, note or path; case does not matter. */
export function matchingSessions(sessions: readonly SessionEntry[], text: string): SessionEntry[] {
  const sought = text.trim().toLowerCase();
  return sessions.filter(({ name, note, path }) =>
    `${readableName(name)}\n${note}\n${path}`.toLowerCase().includes(sought),
  );
}
