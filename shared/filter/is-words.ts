import type { ExchangePhase } from '../model/rule/exchange-phase.ts';
import { type Predicate, QueryError } from './query.ts';

interface Word {
  fits: Predicate;
  /** The phase of an exchange from which on this can be true. */
  known: ExchangePhase;
}

/** `is:...`: each word. */
export const IS_WORDS: Record<string, Word> = {
  open: { fits: (row) => row.state === 'open', known: 'request' },
  complete: { fits: (row) => row.state === 'complete', known: 'end' },
  failed: { fits: (row) => row.state === 'failed', known: 'end' },
  aborted: { fits: (row) => row.state === 'aborted', known: 'end' },
  /** A response with that meaning, or no response. */
  error: { fits: (row) => row.state === 'failed' || row.status >= 400, known: 'response' },
  redirect: { fits: (row) => row.status >= 300 && row.status < 400 && row.status !== 304, known: 'response' },
  /** It reused a connection: nothing was opened for it. */
  reused: { fits: (row) => row.upstreamConnection > 0 && row.timings.connect < 0, known: 'response' },
  fresh: { fits: (row) => row.timings.connect >= 0, known: 'response' },
  retried: { fits: (row) => row.attempts > 1, known: 'response' },
  upgrade: { fits: (row) => row.kind === 'upgrade', known: 'request' },
  websocket: { fits: (row) => row.kind === 'upgrade', known: 'request' },
  tunnel: { fits: (row) => row.kind === 'tunnel', known: 'request' },
  http: { fits: (row) => row.kind === 'http', known: 'request' },
  /** Rules were applied. */
  changed: { fits: (row) => row.touched > 0, known: 'request' },
  marked: { fits: (row) => row.colour !== null, known: 'request' },
};

function wordNamed(name: string): Word | undefined {
  return Object.hasOwn(IS_WORDS, name) ? IS_WORDS[name] : undefined;
}

/** The request for an unknown word. */
export function phaseOfWord(word: string): ExchangePhase {
  return wordNamed(word.toLowerCase())?.known ?? 'request';
}

/** Throws `QueryError` for an unknown word. */
export function isWord(word: string, place: { position: number; length: number }): Predicate {
  const name = word.toLowerCase();
  const known = wordNamed(name);
  if (known) return known.fits;
  const begun = Object.keys(IS_WORDS).some((known) => known.startsWith(name));
  const message = `is:${word} is unknown. Use one of ${Object.keys(IS_WORDS).join(', ')}.`;
  throw new QueryError(message, place, begun ? 'there' : null);
}
