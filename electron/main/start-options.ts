import path from 'node:path';
import { defaultDataFolder } from '../commands/data-folder.ts';

export interface StartOptions {
  dataFolder: string;
  /** Null: the default port, or a free one if that is in use. */
  port: number | null;
  /** A session file to continue. */
  session: string | null;
}

function givenValue(args: readonly string[], name: string): string | null {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
}

/** `--data-dir=DIR`, `--port=N` and a session file. Other arguments are left to Chromium. */
export function startOptions(args: readonly string[]): StartOptions {
  const folder = givenValue(args, 'data-dir');
  const port = Number(givenValue(args, 'port') ?? Number.NaN);
  const session = args.find((arg) => !arg.startsWith('-') && arg.endsWith('.roundtrip'));
  return {
    dataFolder: folder ? path.resolve(folder) : defaultDataFolder(),
    port: Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null,
    session: session === undefined ? null : path.resolve(session),
  };
}
