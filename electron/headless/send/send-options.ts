import { compileFilter } from '../../../shared/filter/compile.ts';
import { BadArguments } from '../bad-arguments.ts';

/** What to send. */
export interface SendChoice {
  /** The recording whose requests are sent. */
  source: string;
  /** A query of shared/filter; empty: all requests. */
  filter: string;
  /** How often each is sent. */
  times: number;
  /** Requests under way at a time. */
  parallel: number;
}

interface SendValues {
  filter?: string | undefined;
  times?: string | undefined;
  parallel?: string | undefined;
}

/** The proxy's options for clients: `send` has none. */
const FOR_CLIENTS = ['port', 'host', 'ui-port', 'har', 'no-intercept', 'passthrough', 'devices-reach-local'];
const MOST_TIMES = 1_000_000;
/** Also the maximum number of connections that the pool opens to one origin. */
const MOST_PARALLEL = 256;

function count(name: string, text: string | undefined, most: number): number {
  if (text === undefined) return 1;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new BadArguments(`--${name} ${JSON.stringify(text)} is not a count: use a number from 1 to ${most}`);
}

/** Throws `BadArguments`. */
export function sendChoice(
  values: SendValues & Readonly<Record<string, unknown>>,
  positionals: readonly string[],
): SendChoice {
  const [source, ...rest] = positionals;
  if (source === undefined || source === '') throw new BadArguments('send needs a recording: a .roundtrip or HAR file');
  if (rest[0] !== undefined) throw new BadArguments(`unexpected argument ${JSON.stringify(rest[0])}`);
  const foreign = FOR_CLIENTS.find((name) => values[name] !== undefined);
  if (foreign !== undefined) throw new BadArguments(`--${foreign} does not apply to send`);
  const filter = values.filter ?? '';
  const compiled = compileFilter(filter);
  if (!compiled.ok) throw new BadArguments(`--filter: ${compiled.problem.message}`);
  const times = count('times', values.times, MOST_TIMES);
  const parallel = count('parallel', values.parallel, MOST_PARALLEL);
  return { source, filter, times, parallel };
}
