import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultDataFolder } from '../commands/data-folder.ts';

export interface StartOptions {
  dataFolder: string;
  /** Null: the default port, or a free one if that is in use. */
  port: number | null;
  /** Prints the log to stderr too. */
  verbose: boolean;
  /** A session file to record into. */
  session: string | null;
  /** Files to open, to read. */
  files: string[];
}

function givenValue(args: readonly string[], name: string): string | null {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? null;
}

/** Linux desktops pass files as URLs (`%U` of the desktop entry). One of another machine stays as it is. */
function pathOf(file: string, base: string): string {
  try {
    if (file.startsWith('file:')) return fileURLToPath(file);
  } catch {
    // Opening it reports that there is no such file.
  }
  return path.resolve(base, file);
}

/** Files that can be opened; other arguments may be Chromium's or Electron's. */
const OPENED = /\.(?:roundtrip|har|chlsj|chls|saz|flow)$/i;

/**
 * `--data-dir=DIR`, `--port=N`, `--verbose`, `--session=FILE` and files to open, relative to `base`. Other arguments
 * are left to Chromium.
 */
export function startOptions(args: readonly string[], base = process.cwd()): StartOptions {
  const folder = givenValue(args, 'data-dir');
  const port = Number(givenValue(args, 'port') ?? Number.NaN);
  const session = givenValue(args, 'session');
  const files = args.filter((arg) => !arg.startsWith('-') && OPENED.test(arg));
  return {
    dataFolder: folder ? path.resolve(folder) : defaultDataFolder(),
    port: Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : null,
    verbose: args.includes('--verbose'),
    session: session === null ? null : path.resolve(base, session),
    files: files.map((file) => pathOf(file, base)),
  };
}
