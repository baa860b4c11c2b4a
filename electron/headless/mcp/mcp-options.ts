import path from 'node:path';
import { pidOf } from '../attached/attached-options.ts';
import { BadArguments } from '../bad-arguments.ts';

export interface McpCommand {
  command: 'mcp';
  /** A file to serve; null: the Roundtrip that runs. */
  source: string | null;
  pid: number | null;
  dataFolder: string;
}

/** Throws `BadArguments`. */
export function mcpCommand(
  values: { pid?: string | undefined },
  [source, ...rest]: readonly string[],
  dataFolder: string,
): McpCommand {
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  const pid = pidOf(values.pid);
  if (source !== undefined && pid !== null) throw new BadArguments('mcp takes a SOURCE or --pid, not both');
  return { command: 'mcp', source: source === undefined ? null : path.resolve(source), pid, dataFolder };
}
