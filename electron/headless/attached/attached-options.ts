import { compileFilter } from '../../../shared/filter/compile.ts';
import { BadArguments } from '../bad-arguments.ts';

/** A command for a Roundtrip that runs in another process. */
export interface AttachedCommand {
  command: 'status' | 'stop';
  /** Null: the only one, or for `status` all of them. */
  pid: number | null;
  dataFolder: string;
  json: boolean;
}

/** The options of `tail` in addition to `ProxyOptions`. */
export interface TailChoice {
  /** A query of shared/filter; empty: everything. */
  filter: string;
  /** Null: the one that was started last, or a new one. */
  pid: number | null;
}

export interface AttachedValues {
  pid?: string | undefined;
  json?: boolean | undefined;
}

/** Throws `BadArguments`. */
export function pidOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new BadArguments(`--pid ${JSON.stringify(text)} is not a process id: roundtrip status lists them`);
}

function noMore(positionals: readonly string[]): void {
  if (positionals[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(positionals[0])}`);
}

/** Throws `BadArguments`. */
export function attachedCommand(
  command: AttachedCommand['command'],
  values: AttachedValues,
  positionals: readonly string[],
  dataFolder: string,
): AttachedCommand {
  noMore(positionals);
  return { command, pid: pidOf(values.pid), dataFolder, json: values.json ?? false };
}

/** Throws `BadArguments`. */
export function tailChoice(
  values: AttachedValues & { filter?: string | undefined },
  positionals: readonly string[],
): TailChoice {
  noMore(positionals);
  const filter = values.filter ?? '';
  const compiled = compileFilter(filter);
  if (!compiled.ok) throw new BadArguments(`--filter: ${compiled.problem.message}`);
  return { filter, pid: pidOf(values.pid) };
}
