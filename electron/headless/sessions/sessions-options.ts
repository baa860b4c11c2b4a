import { BadArguments } from '../bad-arguments.ts';

export interface SessionsCommand {
  command: 'sessions';
  dataFolder: string;
  /** Null: nothing is removed. */
  prune: { olderThanDays: number | null; overBytes: number | null } | null;
  json: boolean;
}

export const SESSIONS_OPTIONS = {
  'prune-older-than': { type: 'string' },
  'prune-over': { type: 'string' },
} as const;

interface Given {
  'prune-older-than'?: string | undefined;
  'prune-over'?: string | undefined;
  json?: boolean | undefined;
}

/** Throws `BadArguments`. */
export function sessionsCommand(given: Given, positionals: readonly string[], dataFolder: string): SessionsCommand {
  if (positionals[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(positionals[0])}`);
  const days = number('prune-older-than', given['prune-older-than'], 'days');
  const megabytes = number('prune-over', given['prune-over'], 'MB');
  const limits = { olderThanDays: days, overBytes: megabytes === null ? null : megabytes * 1024 * 1024 };
  const prune = days === null && megabytes === null ? null : limits;
  return { command: 'sessions', dataFolder, prune, json: given.json ?? false };
}

function number(name: string, text: string | undefined, unit: string): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new BadArguments(`--${name} ${JSON.stringify(text)} is not a number of ${unit}`);
}
