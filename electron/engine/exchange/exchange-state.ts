/** The life of one exchange, as a machine without I/O: each state says which events it accepts, and any other is a bug. */
export type ExchangePhase = 'connecting' | 'sending' | 'receiving' | 'switched' | 'over';

export type ExchangeEvent =
  /** A connection was lent, and the head went out. */
  | 'sent'
  /** The try ended and another may be made. */
  | 'retried'
  /** The final response's head came. */
  | 'answered'
  /** It was a 101. */
  | 'switched'
  /** Complete, failed or aborted. */
  | 'ended';

const ACCEPTS: Record<ExchangePhase, Partial<Record<ExchangeEvent, ExchangePhase>>> = {
  connecting: { sent: 'sending', ended: 'over' },
  sending: { retried: 'connecting', answered: 'receiving', ended: 'over' },
  receiving: { switched: 'switched', ended: 'over' },
  switched: { ended: 'over' },
  over: {},
};

/** The phase after `event`. Throws where the phase does not accept it. */
export function nextPhase(phase: ExchangePhase, event: ExchangeEvent): ExchangePhase {
  const next = ACCEPTS[phase][event];
  if (!next) throw new Error(`an exchange that is ${phase} does not accept ${event}`);
  return next;
}
