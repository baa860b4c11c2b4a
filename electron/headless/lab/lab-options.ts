import path from 'node:path';
import { LAB_VARIANTS, type LabVariant } from '../../../shared/model/lab/lab-result.ts';
import { BadArguments } from '../bad-arguments.ts';

export const LAB_ARGUMENTS = {
  page: { type: 'string' },
  rtt: { type: 'string' },
  runs: { type: 'string' },
  bandwidth: { type: 'string' },
  variants: { type: 'string' },
  html: { type: 'string' },
} as const;

type LabValues = { [N in keyof typeof LAB_ARGUMENTS]?: string | undefined };

export interface LabCommand {
  command: 'lab';
  source: string;
  page: number;
  variants: readonly LabVariant[];
  /** Milliseconds. */
  rtts: readonly number[];
  /** Megabits per second; 0: no limit. */
  bandwidth: number;
  runs: number;
  /** The report to write; null: none. */
  html: string | null;
  json: boolean;
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new BadArguments(`--${name} ${JSON.stringify(text)} is not valid: use a number from ${least} to ${most}`);
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = numberOf(name, text, least, most);
  if (!Number.isInteger(number)) throw new BadArguments(`--${name} needs a whole number`);
  return number;
}

function variantsOf(text: string): LabVariant[] {
  return text.split(',').map((name) => {
    const variant = LAB_VARIANTS.find((one) => one === name);
    if (variant === undefined)
      throw new BadArguments(`--variants: ${JSON.stringify(name)} is not one of ${LAB_VARIANTS.join(', ')}`);
    return variant;
  });
}

/** Throws `BadArguments`. `positionals`: the source. */
export function labCommand(values: LabValues, json: boolean, positionals: readonly string[]): LabCommand {
  const [source, ...rest] = positionals;
  if (source === undefined || source === '') throw new BadArguments('lab needs a session file or HAR');
  if (values.html === '') throw new BadArguments('--html needs a value');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  return {
    command: 'lab',
    source: path.resolve(source),
    page: wholeNumber('page', values.page ?? '1', 1, 1_000_000),
    variants: values.variants === undefined ? LAB_VARIANTS : variantsOf(values.variants),
    rtts: (values.rtt ?? '0,20,100').split(',').map((rtt) => numberOf('rtt', rtt, 0, 5000)),
    bandwidth: numberOf('bandwidth', values.bandwidth ?? '0', 0, 100_000),
    runs: wholeNumber('runs', values.runs ?? '7', 1, 1000),
    html: values.html === undefined ? null : path.resolve(values.html),
    json,
  };
}
