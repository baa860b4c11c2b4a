import path from 'node:path';
import { BadArguments } from '../bad-arguments.ts';

export interface ImportCommand {
  command: 'import';
  files: readonly string[];
  session: string;
  json: boolean;
}

/** Throws `BadArguments`. */
export function importCommand(
  { session, json = false }: { session?: string | undefined; json?: boolean | undefined },
  files: readonly string[],
): ImportCommand {
  if (files.length === 0) throw new BadArguments('import needs a file: import FILE... --session OUT');
  if (session === undefined || session === '')
    throw new BadArguments('import needs --session OUT, the file to import into');
  return { command: 'import', files, session: path.resolve(session), json };
}
