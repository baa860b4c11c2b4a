import { compileFilter } from '../../../../shared/filter/compile.ts';
import { isPattern } from '../../../../shared/model/export/pattern.ts';
import { otlpProblem } from '../../../../shared/model/otlp/otlp.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { outFile } from '../out-file.ts';

/** An export of any number of sources, for a warehouse or a tracing backend. */
export type WarehouseCommand = {
  command: 'warehouse';
  sources: readonly string[];
  filter: string;
  json: boolean;
} & (
  | { format: 'parquet'; out: string; bodies: boolean; redact: boolean; patterns: readonly string[] }
  | { format: 'otlp'; to: string; unsampled: boolean }
);

/** Its formats, in addition to those of shared/model/export/export-format.ts, which the window also offers. */
export const WAREHOUSE_FORMATS = ['parquet', 'otlp'] as const;

export const WAREHOUSE_OPTIONS = {
  bodies: { type: 'boolean' },
  to: { type: 'string' },
  'otlp-unsampled': { type: 'boolean' },
} as const;

interface Given {
  filter?: string | undefined;
  out?: string | undefined;
  redact?: boolean | undefined;
  'redact-pattern'?: string[] | undefined;
  bodies?: boolean | undefined;
  to?: string | undefined;
  'otlp-unsampled'?: boolean | undefined;
  json?: boolean | undefined;
}

/** Throws `BadArguments`. */
export function warehouseCommand(
  format: (typeof WAREHOUSE_FORMATS)[number],
  given: Given,
  sources: readonly string[],
): WarehouseCommand {
  if (sources.length === 0 || sources.includes(''))
    throw new BadArguments('export needs session files, or files to import');
  const { filter = '', json = false, out, to, 'redact-pattern': patterns = [] } = given;
  const parsed = compileFilter(filter);
  if (!parsed.ok) throw new BadArguments(`--filter: ${parsed.problem.message}`);
  const common = { command: 'warehouse', sources, filter, json } as const;
  if (format === 'otlp') {
    const problem = to
      ? otlpProblem({ url: to, traceLink: '' })
      : 'it needs a collector, such as http://localhost:4318';
    if (!to || problem !== null) throw new BadArguments(`--to: ${problem}`);
    return { ...common, format, to, unsampled: given['otlp-unsampled'] ?? false };
  }
  if (!out) throw new BadArguments('--format parquet needs --out FILE: it writes several files');
  const bad = patterns.find((pattern) => !isPattern(pattern));
  if (bad !== undefined) throw new BadArguments(`--redact-pattern ${JSON.stringify(bad)} is not a regular expression`);
  const redact = (given.redact ?? false) || patterns.length > 0;
  return { ...common, format, out: outFile(out, sources), bodies: given.bodies ?? false, redact, patterns };
}
