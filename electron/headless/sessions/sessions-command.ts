import { counted } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { type Pruned, SessionCatalog } from '../../session/catalog/session-catalog.ts';
import { Output } from '../output.ts';
import type { SessionsCommand } from './sessions-options.ts';

/** Lists the sessions of the data folder, the newest first, after pruning them if requested. */
export async function listSessions({ dataFolder, prune, json }: SessionsCommand): Promise<0> {
  const output = new Output(json);
  const catalog = new SessionCatalog(dataFolder);
  if (prune !== null) sayPruned(catalog.prune(prune), output);
  const sessions = await catalog.list();
  for (const session of sessions) {
    output.event({ ...session });
    output.say(line(session));
  }
  if (sessions.length === 0) output.say(`There are no sessions in ${dataFolder}.`);
  return 0;
}

function sayPruned({ removed, kept }: Pruned, output: Output): void {
  for (const { path } of removed) {
    output.event({ event: 'removed', path });
    output.say(`removed ${onOneLine(path)}`);
  }
  for (const failure of kept) {
    output.event({ event: 'kept', code: failure.code, message: failure.message });
    output.failure(failure);
  }
}

const ENDS = { recording: 'recording', closed: 'closed', recovered: 'recovered after a crash' } as const;

function line({ path, name, note, bytes, exchanges, startedAt, ended, problem }: SessionEntry): string {
  const date = startedAt === null ? '-' : new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const count = exchanges === null ? '' : `${counted(exchanges, 'exchange')}, `;
  // Of a file that can't be opened, nothing is known.
  const end = exchanges === null && problem !== null && ended === 'closed' ? '' : `, ${ENDS[ended]}`;
  const about = [note, problem].filter(Boolean).map((text) => `\n    ${text}`);
  return `${date}  ${onOneLine(name)}  ${count}${formatBytes(bytes)}${end}\n    ${onOneLine(path)}${about.join('')}`;
}

/** Names of files may hold line feeds, and what terminals obey. */
function onOneLine(name: string): string {
  return name.replace(/\p{Cc}/gu, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
