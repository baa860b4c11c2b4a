import { compileFilter } from '../../../shared/filter/compile.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../../../shared/model/export/export-format.ts';
import { isPattern } from '../../../shared/model/export/pattern.ts';
import { BadArguments } from '../bad-arguments.ts';
import { outFile } from './out-file.ts';

export interface ExportCommand {
  command: 'export';
  source: string;
  format: ExportFormatName;
  filter: string;
  /** Null: standard output. */
  out: string | null;
  redact: boolean;
  /** Regular expressions of further secrets. */
  patterns: readonly string[];
  json: boolean;
}

export const EXPORT_OPTIONS = {
  format: { type: 'string' },
  filter: { type: 'string' },
  out: { type: 'string' },
  redact: { type: 'boolean' },
  'redact-pattern': { type: 'string', multiple: true },
} as const;

interface Given {
  format?: string | undefined;
  filter?: string | undefined;
  out?: string | undefined;
  redact?: boolean | undefined;
  'redact-pattern'?: string[] | undefined;
  json?: boolean | undefined;
}

/** Throws `BadArguments`. */
export function exportCommand(given: Given, positionals: readonly string[]): ExportCommand {
  const [source, ...rest] = positionals;
  if (source === undefined || source === '') throw new BadArguments('export needs a session file, or one to import');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  const { out, filter = '', json = false, redact = false, 'redact-pattern': patterns = [] } = given;
  const format = formatOf(given.format);
  const parsed = compileFilter(filter);
  if (!parsed.ok) throw new BadArguments(`--filter: ${parsed.problem.message}`);
  if (out === '') throw new BadArguments('--out needs a value');
  if (out === undefined && json) throw new BadArguments('--json needs --out: standard output carries one of them');
  if (out === undefined && format === 'roundtrip') throw new BadArguments('--format roundtrip needs --out FILE');
  const bad = patterns.find((pattern) => !isPattern(pattern));
  if (bad !== undefined) throw new BadArguments(`--redact-pattern ${JSON.stringify(bad)} is not a regular expression`);
  const file = out === undefined ? null : outFile(out, [source]);
  return {
    command: 'export',
    source,
    format,
    filter,
    out: file,
    redact: redact || patterns.length > 0,
    patterns,
    json,
  };
}

function formatOf(name: string | undefined): ExportFormatName {
  const names = EXPORT_FORMAT_NAMES.join(', ');
  if (name === undefined) throw new BadArguments(`export needs --format: ${names}`);
  const found = EXPORT_FORMAT_NAMES.find((one) => one === name);
  if (found === undefined) throw new BadArguments(`--format ${JSON.stringify(name)} is not a format: use ${names}`);
  return found;
}
