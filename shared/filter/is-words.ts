import { type Predicate, QueryError } from './query.ts';

/** `is:...`: the predicate of each word. */
export const IS_WORDS: Record<string, Predicate> = {
  open: (row) => row.state === 'open',
  complete: (row) => row.state === 'complete',
  failed: (row) => row.state === 'failed',
  aborted: (row) => row.state === 'aborted',
  /** An answer that says so, or none at all. */
  error: (row) => row.state === 'failed' || row.status >= 400,
  redirect: (row) => row.status >= 300 && row.status < 400 && row.status !== 304,
  /** It reused a connection: nothing was opened for it. */
  reused: (row) => row.upstreamConnection > 0 && row.timings.connect < 0,
  fresh: (row) => row.timings.connect >= 0,
  retried: (row) => row.attempts > 1,
  upgrade: (row) => row.kind === 'upgrade',
  websocket: (row) => row.kind === 'upgrade',
  tunnel: (row) => row.kind === 'tunnel',
  http: (row) => row.kind === 'http',
  /** Rules were applied. */
  changed: (row) => row.touched > 0,
  marked: (row) => row.colour !== null,
};

/** Throws `QueryError` for an unknown word. */
export function isWord(word: string, place: { position: number; length: number }): Predicate {
  const name = word.toLowerCase();
  const fits = Object.hasOwn(IS_WORDS, name) ? IS_WORDS[name] : undefined;
  if (fits) return fits;
  const begun = Object.keys(IS_WORDS).some((known) => known.startsWith(name));
  const message = `is:${word} is unknown. Use one of ${Object.keys(IS_WORDS).join(', ')}.`;
  throw new QueryError(message, place, begun ? 'there' : null);
}
