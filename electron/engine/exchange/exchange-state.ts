/**
 * The life of one exchange as a state machine without I/O. Each state lists the events it accepts; any other is a bug.
 */
export type ExchangePhase = 'connecting' | 'sending' | 'receiving' | 'switched' | 'over';

export type ExchangeEvent =
  /** A connection was lent, and the head was sent. */
  | 'sent'
  /** The attempt ended, and another may follow. */
  | 'retried'
  /** The final response's head arrived. */
  | 'responded'
  /** The response was a 101, or a 2xx to CONNECT. */
  | 'switched'
  /** Complete, failed or aborted. */
  | 'ended';

const ACCEPTS: Record<ExchangePhase, Partial<Record<ExchangeEvent, ExchangePhase>>> = {
  connecting: { sent: 'sending', ended: 'over' },
  sending: { retried: 'connecting', responded: 'receiving', ended: 'over' },
  receiving: { switched: 'switched', ended: 'over' },
  switched: { ended: 'over' },
  over: {},
};

/** Returns the phase after `event`. Throws if the phase does not accept it. */
export function nextPhase(phase: ExchangePhase, event: ExchangeEvent): ExchangePhase {
  const next = ACCEPTS[phase][event];
  if (!next) throw new Error(`an exchange that is ${phase} does not accept ${event}`);
  return next;
}
