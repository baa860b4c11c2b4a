import { BadArguments } from '../bad-arguments.ts';

export interface RulesCommand {
  command: 'rules';
  action: 'check';
  /** As it was given: the lines about its faults begin with it. */
  file: string;
  json: boolean;
}

/** Throws `BadArguments`. `positionals`: the action and its file. */
export function rulesCommand(json: boolean, positionals: readonly string[]): RulesCommand {
  const [action, file, ...rest] = positionals;
  if (action === undefined) throw new BadArguments('rules needs an action: check');
  if (action !== 'check') throw new BadArguments(`rules ${JSON.stringify(action)} is not an action: use check`);
  if (file === undefined || file === '') throw new BadArguments('rules check needs a file');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  return { command: 'rules', action, file, json };
}
