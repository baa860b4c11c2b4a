import path from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import { parse } from '../arguments.ts';
import { BadArguments } from '../bad-arguments.ts';

export interface CheckCommand {
  command: 'check';
  /** One or more runs of the same thing. */
  sources: readonly string[];
  budget: string;
  baselines: readonly string[];
  junit: string | null;
  html: string | null;
  json: boolean;
}

const CHECK = {
  budget: { type: 'string' },
  baseline: { type: 'string', multiple: true },
  junit: { type: 'string' },
  html: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/**
 * Several sources may follow one --baseline, as shells expand a pattern. If none precedes it, the last one is the
 * source to check. Throws `BadArguments`; null asks for help.
 */
export function checkCommand(args: readonly string[]): CheckCommand | null {
  const { values, tokens } = parse(args, CHECK);
  if (values.help) return null;
  const sources: string[] = [];
  const baselines: string[] = [];
  let after = sources;
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'baseline') {
      after = baselines;
      baselines.push(token.value ?? '');
    } else if (token.kind === 'positional') after.push(token.value);
  }
  if (sources.length === 0 && baselines.length > 1) sources.push(...baselines.splice(-1));
  if (sources.length === 0) throw new BadArguments('check needs a source: a .roundtrip or HAR file');
  if (values.budget === undefined) throw new BadArguments('check needs --budget FILE');
  const place = (file: string | undefined) => (file === undefined ? null : path.resolve(file));
  return {
    command: 'check',
    sources,
    budget: values.budget,
    baselines,
    junit: place(values.junit),
    html: place(values.html),
    json: values.json ?? false,
  };
}
