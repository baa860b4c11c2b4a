import type {
  Action,
  Break,
  ChangeRequest,
  ChangeResponse,
  Fail,
  FinalAction,
} from '../../../shared/model/rule/actions.ts';
import type { RuleOutcome } from '../../../shared/model/rule/rule.ts';
import type { ScriptHook } from '../../../shared/model/rule/script-call.ts';
import { type Hold, holdOf } from './actions/break.ts';
import { delayOf } from './actions/delay.ts';
import { effectOf } from './actions/effect.ts';
import { fails } from './actions/fail.ts';
import type { ActiveRule } from './active-rule.ts';
import type { PlannedChange } from './planned-change.ts';
import type { PlannedScript } from './scripts/loaded-script.ts';
import type { Link } from './throttle/link.ts';

/** The effects of rules on a request, in the order of the list. */
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
  /** The final action, if one was applied: how the request continues. */
  fate: FinalAction | null;
  /** The rule that decided `fate`: the list ends there. */
  lastIndex: number;
  outcomes: RuleOutcome[];
}

/** What the rules did to the request, for the response's part. */
export type RequestResult = Pick<RequestPlan, 'lastIndex' | 'outcomes'>;

/** No rule matched the request: the whole list applies to the response. */
export const NO_RESULT: RequestResult = { lastIndex: Number.POSITIVE_INFINITY, outcomes: [] };

/** The effects of rules on a response. */
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

/** Adds what a rule does to the request. Returns true if a final action was applied: the list ends. */
export function applyToRequest(plan: RequestPlan, rule: ActiveRule): boolean {
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

/** The same for the response. */
export function applyToResponse(plan: ResponsePlan, rule: ActiveRule): boolean {
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

function nameOf(action: Action): string {
  return Object.keys(action)[0] ?? '';
}

function outcome({ index, name }: ActiveRule, action: Action): RuleOutcome {
  return { index, name, actions: [nameOf(action)], problem: null };
}
