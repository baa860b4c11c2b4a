import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExchangeEvent,
  type ExchangePhase,
  nextPhase,
} from '../../../../../electron/engine/exchange/exchange-state.ts';

const run = (...events: ExchangeEvent[]): ExchangePhase => events.reduce<ExchangePhase>(nextPhase, 'connecting');

describe('the life of an exchange', () => {
  it.each([
    [['sent', 'responded', 'ended'], 'over'],
    [['sent', 'retried', 'sent', 'responded'], 'receiving'],
    [['sent', 'responded', 'switched'], 'switched'],
    [['ended'], 'over'],
  ] as [ExchangeEvent[], ExchangePhase][])('%j leads to %s', (events, phase) => {
    expect(run(...events)).toBe(phase);
  });

  // design, "Retry": never after response headers have come.
  it('nothing is tried again once a response has begun', () => {
    expect(() => run('sent', 'responded', 'retried')).toThrow();
    expect(() => run('sent', 'responded', 'switched', 'retried')).toThrow();
  });

  it('nothing happens before it was sent, nothing happens twice, and nothing after its end', () => {
    expect(() => run('responded')).toThrow();
    expect(() => run('sent', 'responded', 'responded')).toThrow();
    expect(() => run('ended', 'ended')).toThrow();
  });

  it('every state can end, and an end is final', () => {
    const event = fc.constantFrom<ExchangeEvent>('sent', 'retried', 'responded', 'switched', 'ended');
    fc.assert(
      fc.property(fc.array(event), (events) => {
        let phase: ExchangePhase = 'connecting';
        for (const each of events) {
          try {
            phase = nextPhase(phase, each);
          } catch {
            continue;
          }
          if (phase === 'over') break;
        }
        if (phase === 'over') for (const each of events) expect(() => nextPhase('over', each)).toThrow();
        else expect(nextPhase(phase, 'ended')).toBe('over');
      }),
    );
  });
});
