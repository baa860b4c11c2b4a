import { Check, Minus } from 'lucide-react';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { useWindow } from '../../app-context.ts';
import { ruleVerdicts } from './rule-verdicts.ts';

/** Every rule of the list, hit or missed, with the condition that decided. */
export function RuleVerdictList({ exchange }: { exchange: Exchange }) {
  const state = useWindow((window) => window.rules);
  if (state === null || state.rules.rules.length === 0) return null;
  return (
    <section className="verdicts">
      <h3>All current rules, in order</h3>
      <ol>
        {ruleVerdicts(state.rules, exchange).map(({ name, isHit, reason }) => (
          <li key={name} className={isHit ? 'hit' : ''}>
            {isHit ? <Check size={14} aria-label="Hit" /> : <Minus size={14} aria-label="Missed" />}
            <b>{name}</b>
            <span>{reason}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
