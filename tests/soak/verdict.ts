import { atMost, flat, type Judged } from './flatness.ts';
import type { HarOutcome } from './har-check.ts';
import { megabytes, type Sample } from './table.ts';

/** The result of a soak run. */
export interface SoakOutcome {
  exchanges: number;
  samples: readonly Sample[];
  /** Rows that the window got, and exchanges that the session file holds. */
  shown: number;
  held: number;
  har: HarOutcome;
  /** Messages to the window outside the contract. */
  problems: readonly string[];
  /** Of the product, once it was asked to end. */
  exitCode: number | null;
}

/** Of a million exchanges the first 100,000 are the warm-up; of fewer a tenth. */
const WARM_UP = 0.1;
const MEMORY = { share: 0.1, extra: 16 };
const DESCRIPTORS = { share: 0, extra: 16 };
/** A shared machine changes a p99. */
const P99 = { share: 0.5, extra: 2 };
/**
 * Megabytes of the whole process while it exports, and seconds for a million exchanges; a small session has its start
 * to pay.
 */
const HAR_MEMORY = 300;
const HAR_SECONDS = 60;
const HAR_LEAST_SECONDS = 5;

function all(what: string, got: number, wanted: number): Judged {
  return { what, detail: `${got.toLocaleString('en')} of ${wanted.toLocaleString('en')}`, ok: got === wanted };
}

function nothing(what: string, found: readonly string[]): Judged {
  return {
    what,
    detail: found.length === 0 ? 'none' : `${found.length}, the first: ${found[0]}`,
    ok: found.length === 0,
  };
}

/** Each figure and its rule, in the order in which they are printed. */
export function judge({ exchanges, samples, shown, held, har, problems, exitCode }: SoakOutcome): Judged[] {
  const warm = samples.filter(({ done }) => done > exchanges * WARM_UP);
  const of = (pick: (sample: Sample) => number): number[] => warm.map(pick);
  const errors = samples.flatMap(({ error, errors: count }) => (count === 0 ? [] : [`${error} (${count} in a block)`]));
  const seconds = Math.max(HAR_LEAST_SECONDS, (HAR_SECONDS * exchanges) / 1e6);
  return [
    flat(
      'memory',
      of(({ memory }) => megabytes(memory.median)),
      MEMORY,
      'MB',
    ),
    flat(
      'descriptors',
      of(({ descriptors }) => descriptors),
      DESCRIPTORS,
      '',
    ),
    flat(
      'p99 of HTTP/1.1',
      of(({ p99 }) => p99.h1),
      P99,
      'ms',
    ),
    flat(
      'p99 of HTTP/2',
      of(({ p99 }) => p99.h2),
      P99,
      'ms',
    ),
    flat(
      'p99 of WebSockets',
      of(({ p99 }) => p99.websocket),
      P99,
      'ms',
    ),
    flat(
      'p99 of event streams',
      of(({ p99 }) => p99.sse),
      P99,
      'ms',
    ),
    nothing('errors', errors),
    all('rows in the window', shown, exchanges),
    all('exchanges in the session', held, exchanges),
    nothing('messages that are not of the contract', problems),
    all('HAR entries', har.entries, exchanges),
    { what: 'HAR', detail: har.whole ? 'complete' : 'its end is missing', ok: har.whole },
    flat('memory while the HAR is written', har.memory.map(megabytes), MEMORY, 'MB'),
    atMost('its peak', megabytes(Math.max(...har.memory)), HAR_MEMORY, 'MB'),
    atMost('time for the HAR', har.seconds, seconds, 's'),
    { what: 'exit code', detail: String(exitCode), ok: exitCode === 0 },
  ];
}
