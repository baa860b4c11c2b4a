/** The phases of an exchange, in order. A rule acts in one or more of them, with what is known by then. */
const EXCHANGE_PHASES = ['request', 'response', 'end'] as const;
export type ExchangePhase = (typeof EXCHANGE_PHASES)[number];

/** Below 0: `a` comes first. */
export function comparePhases(a: ExchangePhase, b: ExchangePhase): number {
  return EXCHANGE_PHASES.indexOf(a) - EXCHANGE_PHASES.indexOf(b);
}

/** The request if there are none. */
export function earliestPhase(phases: readonly ExchangePhase[]): ExchangePhase {
  return [...phases].sort(comparePhases)[0] ?? 'request';
}

/** The request if there are none. */
export function latestPhase(phases: readonly ExchangePhase[]): ExchangePhase {
  return [...phases].sort(comparePhases).at(-1) ?? 'request';
}
