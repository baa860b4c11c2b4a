import { BadArguments } from '../bad-arguments.ts';

export interface FindingsCommand {
  command: 'findings';
  source: string;
  json: boolean;
}

/** Throws `BadArguments`. `positionals`: the source. */
export function findingsCommand(json: boolean, positionals: readonly string[]): FindingsCommand {
  const [source, ...rest] = positionals;
  if (source === undefined || source === '')
    throw new BadArguments('findings needs a source: a .roundtrip or HAR file');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  return { command: 'findings', source, json };
}
