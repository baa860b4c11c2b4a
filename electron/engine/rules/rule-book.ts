import { parseRuleQuery, withoutFields } from '../../../shared/filter/rule-query.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Mark } from '../../../shared/model/rule/actions.ts';
import type { KnownFields } from '../../../shared/model/rule/known-fields.ts';
import type { RuleList, RuleOutcome } from '../../../shared/model/rule/rule.ts';
import type { RuleHits } from '../../../shared/model/rule/rule-state.ts';
import { ActiveRule, actsOnRequest, actsOnResponse, hasMarks } from './active-rule.ts';
import { RuleFamilies } from './index/rule-families.ts';
import type { Place } from './index/rule-index.ts';
import { SharedConditions } from './index/shared-conditions.ts';
import {
  applyToRequest,
  applyToResponse,
  emptyPlan,
  emptyResponsePlan,
  type RequestPlan,
  type RequestResult,
  type ResponsePlan,
} from './plans.ts';

/** The rules that are on, in order. */
export class RuleBook {
  /** Names of the rules that hold messages. */
  readonly breaking: ReadonlySet<string>;
  readonly isEmpty: boolean;
  readonly #index: RuleFamilies<ActiveRule>;
  readonly #rules: readonly ActiveRule[];

  /** Leaves out rules whose query does not compile: the loader of a list has checked it. */
  constructor({ rules, groupsOff }: RuleList) {
    const off = new Set(groupsOff);
    const on = rules.flatMap((rule, index) => {
      if (!rule.enabled || (rule.group !== undefined && off.has(rule.group))) return [];
      const parsed = parseRuleQuery(rule.when);
      return parsed.ok ? [{ rule, index, query: parsed.query }] : [];
    });
    const conditions = new SharedConditions(on.map(({ query }) => query));
    const active = on.map(({ rule: given, index, query }) => {
      const mayFollow = conditions.compile(withoutFields(query));
      const rule = new ActiveRule(given, index, { matches: conditions.compile(query), mayFollow });
      return { rule, query, kind: rule.kind, anyMethod: rule.answersPreflights };
    });
    this.#rules = active.map(({ rule }) => rule);
    this.#index = new RuleFamilies(active);
    this.isEmpty = active.length === 0;
    this.breaking = new Set(active.flatMap(({ rule }) => (rule.isBreaking ? [rule.name] : [])));
  }

  /** The rules that have matched an exchange since this list was loaded. */
  hits(): RuleHits[] {
    return this.#rules.filter(({ hits }) => hits > 0).map(({ name, hits, lastHit }) => ({ name, hits, lastHit }));
  }

  /** Whether a rule may act on a request to this place with these fields. If not, its summary is not needed. */
  mayActOnRequest(place: Place, fields: KnownFields): boolean {
    return this.#index.at(place, fields).some(actsOnRequest);
  }

  /** The same for its response. */
  mayActOnResponse(place: Place, fields: KnownFields): boolean {
    return this.#index.at(place, fields).some(actsOnResponse);
  }

  /** The same for its end. */
  mayMark(place: Place, fields: KnownFields): boolean {
    return this.#index.at(place, fields).some(hasMarks);
  }

  /** Null: no rule matches the request. */
  onRequest(row: ExchangeSummary, fields: KnownFields): RequestPlan | null {
    let plan: RequestPlan | null = null;
    for (const rule of this.#index.candidates(row, fields).filter(actsOnRequest)) {
      if (rule.isUsedUp || !rule.matches(row, fields)) continue;
      rule.hit();
      plan ??= emptyPlan();
      if (applyToRequest(plan, rule)) break;
    }
    return plan;
  }

  /** Whether a rule that matches by now changes the response's messages. */
  changesMessages(row: ExchangeSummary, fields: KnownFields): boolean {
    return this.#index
      .candidates(row, fields)
      .some(
        (rule) =>
          rule.response.some((action) => rule.changesMessages(action)) && !rule.isUsedUp && rule.matches(row, fields),
      );
  }

  /** Null: no rule matches the response. A rule that acted on the request counts its match once. */
  onResponse(row: ExchangeSummary, fields: KnownFields, before: RequestResult): ResponsePlan | null {
    let plan: ResponsePlan | null = null;
    for (const rule of this.#index.candidates(row, fields).filter(actsOnResponse)) {
      if (rule.index > before.lastIndex) break;
      const isCounted = before.outcomes.some(({ index }) => index === rule.index);
      if ((rule.isUsedUp && !isCounted) || !rule.matches(row, fields)) continue;
      if (!isCounted) rule.hit();
      plan ??= emptyResponsePlan();
      if (applyToResponse(plan, rule)) break;
    }
    return plan;
  }

  /** The marks of an ended exchange, requested once; of several, the last colour and all notes count. */
  marksOf(row: ExchangeSummary, fields: KnownFields): { mark: Mark | null; outcomes: RuleOutcome[] } {
    const matching = this.#index.candidates(row, fields).filter((rule) => hasMarks(rule) && rule.matches(row, fields));
    for (const rule of matching) if (!actsOnRequest(rule) && !actsOnResponse(rule)) rule.hit();
    const marks = matching.flatMap((rule) => rule.marks);
    const notes = marks.flatMap(({ note }) => (note === undefined ? [] : [note]));
    const mark = {
      ...Object.assign({}, ...marks),
      ...(notes.length > 0 && { note: notes.join('\n') }),
    };
    const outcomes = matching.map((rule) => ({ index: rule.index, name: rule.name, actions: ['mark'], problem: null }));
    return { mark: marks.length > 0 ? mark : null, outcomes };
  }
}
