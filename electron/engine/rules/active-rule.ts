import type { Predicate } from '../../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { type Action, type Mark, phasesOf } from '../../../shared/model/rule/actions.ts';
import type { KnownFields } from '../../../shared/model/rule/known-fields.ts';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import type { ScriptHook } from '../../../shared/model/rule/script-call.ts';
import { figuresOf } from '../../../shared/model/rule/throttle.ts';
import { effectOf } from './actions/effect.ts';
import { changesBody } from './body-changes.ts';
import { type LoadedScript, loadScript, mayHave, type PlannedScript } from './scripts/loaded-script.ts';
import { Link } from './throttle/link.ts';

const HOOKS = { request: 'onRequest', response: 'onResponse' } as const;

/** A rule that is on, ready to be evaluated. */
export class ActiveRule {
  readonly index: number;
  readonly name: string;
  readonly request: readonly Action[];
  readonly response: readonly Action[];
  readonly marks: readonly Mark[];
  /** One for all exchanges of the rule: they share it. */
  readonly link: Link | null;
  readonly #scripts = new Map<Action, LoadedScript>();
  readonly #matches: Predicate;
  readonly #mayFollow: Predicate;
  readonly answersPreflights: boolean;
  readonly #limit: number;
  /** Exchanges that it matched. */
  hits = 0;
  /** Milliseconds since the Unix epoch; 0: none yet. */
  lastHit = 0;

  /** `mayFollow`: whether a request after a preflight to the same place may match. */
  constructor(rule: Rule, index: number, { matches, mayFollow }: { matches: Predicate; mayFollow: Predicate }) {
    this.index = index;
    this.name = rule.name;
    for (const action of rule.do) if ('script' in action) this.#scripts.set(action, loadScript(action.script));
    this.request = rule.do.filter((action) => this.#actsOn(action, 'request'));
    this.response = rule.do.filter((action) => this.#actsOn(action, 'response'));
    this.marks = rule.do.flatMap((action) => ('mark' in action ? [action.mark] : []));
    const throttle = rule.do.findLast((action) => 'throttle' in action);
    this.link = throttle ? new Link(figuresOf(throttle.throttle)) : null;
    this.#matches = matches;
    this.#mayFollow = mayFollow;
    this.answersPreflights = rule.do.some((action) => {
      const { answer, changeResponse } = effectOf(action);
      return answer?.cors || changeResponse?.cors;
    });
    this.#limit = rule.limit ?? Number.POSITIVE_INFINITY;
  }

  #actsOn(action: Action, phase: keyof typeof HOOKS): boolean {
    const script = this.#scripts.get(action);
    if (script) return mayHave(script, HOOKS[phase]) || mayHave(script, 'onMessage');
    return phasesOf(action).includes(phase);
  }

  /** The action's script, if it may have the function. */
  scriptOf(action: Action, hook: ScriptHook): PlannedScript[] {
    const script = this.#scripts.get(action);
    return script && mayHave(script, hook) ? [{ rule: this.name, script }] : [];
  }

  /** Whether the action changes messages that a server sends. */
  changesMessages(action: Action): boolean {
    if ('script' in action) return this.scriptOf(action, 'onMessage').length > 0;
    const { changeResponse } = effectOf(action);
    return changeResponse !== undefined && changesBody(changeResponse);
  }

  hit(): void {
    this.hits += 1;
    this.lastHit = Date.now();
  }

  get isBreaking(): boolean {
    return [...this.request, ...this.response].some((action) => 'break' in action);
  }

  get isUsedUp(): boolean {
    return this.hits >= this.#limit;
  }

  /** What rules of one family have in common; null: a preflight may match although the query does not. */
  get kind(): string | null {
    if (this.answersPreflights) return null;
    return [this.request, this.response, this.marks].map(({ length }) => (length > 0 ? 1 : 0)).join('');
  }

  matches(row: ExchangeSummary, fields: KnownFields): boolean {
    if (this.#matches(row, fields)) return true;
    if (!this.answersPreflights || row.method !== 'OPTIONS') return false;
    // The preflight of a request that matches (Fetch standard, "CORS-preflight fetch").
    const method = firstHeader(fields[0] ?? [], 'access-control-request-method');
    return method !== undefined && this.#mayFollow({ ...row, method });
  }
}

export const actsOnRequest = ({ request }: ActiveRule): boolean => request.length > 0;
export const actsOnResponse = ({ response }: ActiveRule): boolean => response.length > 0;
export const hasMarks = (rule: ActiveRule): boolean => rule.marks.length > 0;
