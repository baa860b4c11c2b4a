import { parseQuery } from '../../../shared/filter/parse.ts';
import type { Predicate } from '../../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type {
  Action,
  Break,
  ChangeRequest,
  ChangeResponse,
  Fail,
  FinalAction,
  Mark,
} from '../../../shared/model/rule/actions.ts';
import { phasesOf } from '../../../shared/model/rule/actions.ts';
import type { Rule, RuleList, RuleOutcome } from '../../../shared/model/rule/rule.ts';
import type { RuleHits } from '../../../shared/model/rule/rule-state.ts';
import type { ScriptHook } from '../../../shared/model/rule/script-call.ts';
import { figuresOf } from '../../../shared/model/rule/throttle.ts';
import { type Hold, holdOf } from './actions/break.ts';
import { delayOf } from './actions/delay.ts';
import { effectOf } from './actions/effect.ts';
import { fails } from './actions/fail.ts';
import { changesBody } from './body-changes.ts';
import { RuleFamilies } from './index/rule-families.ts';
import type { Place } from './index/rule-index.ts';
import { SharedConditions } from './index/shared-conditions.ts';
import type { PlannedChange } from './planned-change.ts';
import { type LoadedScript, loadScript, mayHave, type PlannedScript } from './scripts/loaded-script.ts';
import { Link } from './throttle/link.ts';

/** What rules do to a request, in the order of the list. */
export interface RequestPlan {
  delayMs: number;
  /** The slow network that the exchange uses: that of the last rule with one. */
  link: Link | null;
  changes: PlannedChange<ChangeRequest>[];
  /** They run after the changes. */
  scripts: PlannedScript[];
  /** They run on each message of a stream, after the changes. */
  messageScripts: PlannedScript[];
  /** A breakpoint, after the changes and before the fate. */
  hold: Hold | null;
  /** A breakpoint for each message of the stream that follows. */
  messageHold: Hold | null;
  /** Rules may change the messages of a WebSocket: they must not be compressed. */
  readsMessages: boolean;
  /** The final action, if one was applied: how the request goes on. */
  fate: FinalAction | null;
  /** The rule that decided `fate`: the list ends there. */
  lastIndex: number;
  outcomes: RuleOutcome[];
}

/** What the request's part of the list did, for the response's part. */
export type RequestResult = Pick<RequestPlan, 'lastIndex' | 'outcomes'>;

/** No rule matched the request: the whole list applies to the response. */
export const NO_RESULT: RequestResult = { lastIndex: Number.POSITIVE_INFINITY, outcomes: [] };

/** What rules do to a response. */
export interface ResponsePlan {
  delayMs: number;
  changes: PlannedChange<ChangeResponse>[];
  /** They run after the changes. */
  scripts: PlannedScript[];
  /** They run on each message of a stream, after the changes. */
  messageScripts: PlannedScript[];
  /** A breakpoint, after the changes. */
  hold: Hold | null;
  /** A failure inside the response. */
  fail: Fail | null;
  outcomes: RuleOutcome[];
}

function nameOf(action: Action): string {
  return Object.keys(action)[0] ?? '';
}

const HOOKS = { request: 'onRequest', response: 'onResponse' } as const;

/** A rule that is on, ready to be asked. */
class ActiveRule {
  readonly index: number;
  readonly name: string;
  readonly request: readonly Action[];
  readonly response: readonly Action[];
  readonly marks: readonly Mark[];
  /** One for all exchanges of the rule: they share it. */
  readonly link: Link | null;
  readonly #scripts = new Map<Action, LoadedScript>();
  readonly #matches: Predicate;
  readonly answersPreflights: boolean;
  readonly #limit: number;
  /** Exchanges that it matched. */
  hits = 0;
  /** Milliseconds since the Unix epoch; 0: none yet. */
  lastHit = 0;

  constructor(rule: Rule, index: number, matches: Predicate) {
    this.index = index;
    this.name = rule.name;
    for (const action of rule.do) if ('script' in action) this.#scripts.set(action, loadScript(action.script));
    this.request = rule.do.filter((action) => this.#actsOn(action, 'request'));
    this.response = rule.do.filter((action) => this.#actsOn(action, 'response'));
    this.marks = rule.do.flatMap((action) => ('mark' in action ? [action.mark] : []));
    const throttle = rule.do.findLast((action) => 'throttle' in action);
    this.link = throttle ? new Link(figuresOf(throttle.throttle)) : null;
    this.#matches = matches;
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

  matches(row: ExchangeSummary, headers: RawHeaders): boolean {
    if (this.#matches(row)) return true;
    if (!this.answersPreflights || row.method !== 'OPTIONS') return false;
    // The preflight of a request that matches (Fetch standard, "CORS-preflight fetch").
    const method = firstHeader(headers, 'access-control-request-method');
    return method !== undefined && this.#matches({ ...row, method });
  }
}

function outcome({ index, name }: ActiveRule, action: Action): RuleOutcome {
  return { index, name, actions: [nameOf(action)], problem: null };
}

const actsOnRequest = ({ request }: ActiveRule): boolean => request.length > 0;
const actsOnResponse = ({ response }: ActiveRule): boolean => response.length > 0;
const hasMarks = (rule: ActiveRule): boolean => rule.marks.length > 0;

/** The rules that are on, in order. */
export class RuleBook {
  /** Names of the rules that hold messages. */
  readonly breaking: ReadonlySet<string>;
  readonly isEmpty: boolean;
  readonly #index: RuleFamilies<ActiveRule>;
  readonly #rules: readonly ActiveRule[];

  /** Rules whose query does not compile are left out: who loads a list checks it. */
  constructor({ rules, groupsOff }: RuleList) {
    const off = new Set(groupsOff);
    const on = rules.flatMap((rule, index) => {
      if (!rule.enabled || (rule.group !== undefined && off.has(rule.group))) return [];
      const parsed = parseQuery(rule.when);
      return parsed.ok ? [{ rule, index, query: parsed.query }] : [];
    });
    const conditions = new SharedConditions(on.map(({ query }) => query));
    const active = on.map(({ rule: given, index, query }) => {
      const rule = new ActiveRule(given, index, conditions.compile(query));
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

  /** Whether a rule may act on a request to this place. If not, nobody needs its summary. */
  mayActOnRequest(place: Place): boolean {
    return this.#index.at(place).some(actsOnRequest);
  }

  /** The same for its response. */
  mayActOnResponse(place: Place): boolean {
    return this.#index.at(place).some(actsOnResponse);
  }

  /** The same for its end. */
  mayMark(place: Place): boolean {
    return this.#index.at(place).some(hasMarks);
  }

  /** Null: no rule matches the request. */
  onRequest(row: ExchangeSummary, headers: RawHeaders): RequestPlan | null {
    let plan: RequestPlan | null = null;
    for (const rule of this.#index.candidates(row).filter(actsOnRequest)) {
      if (rule.isUsedUp || !rule.matches(row, headers)) continue;
      rule.hit();
      plan ??= emptyPlan();
      if (applyToRequest(plan, rule)) break;
    }
    return plan;
  }

  /** Whether a rule that matches by now changes what the response's messages contain. */
  changesMessages(row: ExchangeSummary, headers: RawHeaders): boolean {
    return this.#index
      .candidates(row)
      .some(
        (rule) =>
          rule.response.some((action) => rule.changesMessages(action)) && !rule.isUsedUp && rule.matches(row, headers),
      );
  }

  /** Null: no rule matches the response. A rule that acted on the request counts its match once. */
  onResponse(row: ExchangeSummary, headers: RawHeaders, before: RequestResult): ResponsePlan | null {
    let plan: ResponsePlan | null = null;
    for (const rule of this.#index.candidates(row).filter(actsOnResponse)) {
      if (rule.index > before.lastIndex) break;
      const isCounted = before.outcomes.some(({ index }) => index === rule.index);
      if ((rule.isUsedUp && !isCounted) || !rule.matches(row, headers)) continue;
      if (!isCounted) rule.hit();
      plan ??= emptyResponsePlan();
      if (applyToResponse(plan, rule)) break;
    }
    return plan;
  }

  /** The marks of an exchange that has ended, which asks once; of several, the last colour and all notes count. */
  marksOf(row: ExchangeSummary, headers: RawHeaders): { mark: Mark | null; outcomes: RuleOutcome[] } {
    const matching = this.#index.candidates(row).filter((rule) => hasMarks(rule) && rule.matches(row, headers));
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

/** A plan that changes nothing. */
export function emptyPlan(): RequestPlan {
  return {
    delayMs: 0,
    link: null,
    changes: [],
    scripts: [],
    messageScripts: [],
    hold: null,
    messageHold: null,
    readsMessages: false,
    fate: null,
    lastIndex: Number.POSITIVE_INFINITY,
    outcomes: [],
  };
}

export function emptyResponsePlan(): ResponsePlan {
  return { delayMs: 0, changes: [], scripts: [], messageScripts: [], hold: null, fail: null, outcomes: [] };
}

/** Returns true if a final action was applied: the list ends. */
function applyToRequest(plan: RequestPlan, rule: ActiveRule): boolean {
  for (const action of rule.request) {
    if ('fail' in action && !fails(action.fail, rule.hits)) continue;
    const { changeRequest, answer, mapTo } = effectOf(action);
    const applied = outcome(rule, action);
    if (changeRequest) plan.changes.push({ change: changeRequest, outcome: applied });
    if (answer) plan.fate = { answer };
    else if (mapTo) plan.fate = { mapTo };
    else if ('fail' in action) plan.fate = action;
    else if ('delay' in action) plan.delayMs += delayOf(action.delay);
    else if ('throttle' in action) plan.link = rule.link;
    else if ('script' in action) addScripts(plan, rule, action, 'onRequest');
    else if ('break' in action) addHold(plan, rule.name, action.break);
    else if (!changeRequest) unplanned(action);
    plan.outcomes.push(applied);
    if (plan.fate === null) continue;
    plan.lastIndex = rule.index;
    return true;
  }
  return false;
}

function addHold(plan: RequestPlan, rule: string, action: Break): void {
  if (action.on === 'messages') plan.messageHold ??= holdOf(rule, action);
  else plan.hold ??= holdOf(rule, action);
}

function addScripts(
  { scripts, messageScripts }: Pick<RequestPlan, 'scripts' | 'messageScripts'>,
  rule: ActiveRule,
  action: Action,
  hook: ScriptHook,
): void {
  scripts.push(...rule.scriptOf(action, hook));
  messageScripts.push(...rule.scriptOf(action, 'onMessage'));
}

function applyToResponse(plan: ResponsePlan, rule: ActiveRule): boolean {
  for (const action of rule.response) {
    if ('fail' in action && !fails(action.fail, rule.hits)) continue;
    const { changeResponse } = effectOf(action);
    const applied = outcome(rule, action);
    if (changeResponse) plan.changes.push({ change: changeResponse, outcome: applied });
    else if ('delay' in action) plan.delayMs += delayOf(action.delay);
    else if ('script' in action) addScripts(plan, rule, action, 'onResponse');
    else if ('break' in action) plan.hold ??= holdOf(rule.name, action.break);
    else if ('fail' in action) plan.fail = action.fail;
    else unplanned(action);
    plan.outcomes.push(applied);
    if (plan.fail !== null) return true;
  }
  return false;
}

/** An action of another phase never gets here. A new one does until it is planned above, and its tests fail. */
function unplanned(action: Action): never {
  throw new Error(`no plan for the action ${nameOf(action)}`);
}
