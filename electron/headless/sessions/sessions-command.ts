import { counted } from '../../../shared/format/counts.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { SessionCatalog } from '../../session/catalog/session-catalog.ts';
import { Output } from '../output.ts';
import type { SessionsCommand } from './sessions-options.ts';

/** Lists the sessions of the data folder, the newest first, after pruning them if requested. */
export async function listSessions({ dataFolder, prune, json }: SessionsCommand): Promise<0> {
  const output = new Output(json);
  const catalog = new SessionCatalog(dataFolder);
  for (const removed of prune === null ? [] : catalog.prune(prune)) {
    output.event({ event: 'removed', path: removed.path });
    output.say(`removed ${removed.path}`);
  }
  const sessions = await catalog.list();
  for (const session of sessions) {
    output.event({ ...session });
    output.say(line(session));
  }
  if (sessions.length === 0) output.say(`There are no sessions in ${dataFolder}.`);
  return 0;
}

const ENDS = { recording: 'recording', closed: 'closed', recovered: 'recovered after a crash' } as const;

function line({ path, name, note, bytes, exchanges, startedAt, ended, problem }: SessionEntry): string {
  const date = startedAt === null ? '-' : new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const count = exchanges === null ? '' : `${counted(exchanges, 'exchange')}, `;
  const end = exchanges === null && problem !== null ? '' : `, ${ENDS[ended]}`;
  const about = [note, problem].filter(Boolean).map((text) => `\n    ${text}`);
  return `${date}  ${name}  ${count}${formatBytes(bytes)}${end}\n    ${path}${about.join('')}`;
}
