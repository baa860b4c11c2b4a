import type { Timings } from '../../../shared/model/timings.ts';
import { PHASES, type Phase, phasesOf } from '../traffic/waterfall/phases.ts';

/** One row of the Timings tab; `other` is the exchange compared with. Undefined: it had no such phase. */
export interface ComparedPhase {
  key: Phase['key'];
  label: string;
  about: string;
  own: Phase | undefined;
  other: Phase | undefined;
}

/** The phases of two exchanges side by side, in the order of time. A phase that neither had is left out. */
export function comparedPhases(own: Timings, other: Timings | null): ComparedPhase[] {
  const [ours, theirs] = [phasesOf(own), other ? phasesOf(other) : []];
  return PHASES.flatMap((key) => {
    const [mine, its] = [ours, theirs].map((phases) => phases.find((phase) => phase.key === key));
    const named = mine ?? its;
    return named ? [{ key, label: named.label, about: named.about, own: mine, other: its }] : [];
  });
}
