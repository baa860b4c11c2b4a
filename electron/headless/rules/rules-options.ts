import { BadArguments } from '../bad-arguments.ts';

interface OfFile {
  command: 'rules';
  /** As given: the lines about its faults begin with it. */
  file: string;
  json: boolean;
}

export type RulesCommand =
  | (OfFile & { action: 'check' })
  /** `out`: null prints the rules. */
  | (OfFile & { action: 'import'; out: string | null });

/** Throws `BadArguments`. `positionals`: the action and its file. */
export function rulesCommand(json: boolean, out: string | null, positionals: readonly string[]): RulesCommand {
  const [action, file, ...rest] = positionals;
  if (action === undefined) throw new BadArguments('rules needs an action: check or import');
  if (action !== 'check' && action !== 'import')
    throw new BadArguments(`rules ${JSON.stringify(action)} is not an action: use check or import`);
  if (file === undefined || file === '') throw new BadArguments(`rules ${action} needs a file`);
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  if (action === 'import') return { command: 'rules', action, file, json, out };
  if (out !== null) throw new BadArguments('rules check writes no file: leave out --out');
  return { command: 'rules', action, file, json };
}
