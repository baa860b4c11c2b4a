/** On a busy machine the findings of these rules are correct, even of a good page: they concern how long it took. */
export const TIMED_RULES: ReadonlySet<string> = new Set([
  'slow-document',
  'slow-ttfb',
  'sequential-chain',
  'slow-dns',
  'slow-tls',
  'h1-queueing',
]);
