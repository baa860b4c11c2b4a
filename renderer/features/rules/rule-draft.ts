import { parseRuleQuery } from '../../../shared/filter/rule-query.ts';
import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';
import { type ActionText, actionOf, FieldsFault, jsonIn, textOfAction } from './form/action-text.ts';

/** The actions one by one, or all of them as in a rules file. */
export type ActionsText = { view: 'form'; list: readonly ActionText[] } | { view: 'json'; text: string };

/** A rule as text fields. */
export interface RuleText {
  name: string;
  when: string;
  group: string;
  /** Empty: no limit. */
  limit: string;
  actions: ActionsText;
}

/**
 * The first problem, and the field that shows it. `action`: its place in the form's list; `line`: of its text, from 1.
 */
export interface DraftProblem {
  ok: false;
  field: keyof RuleText;
  problem: string;
  action: number | null;
  line: number | null;
}

export type DraftResult = { ok: true; rule: Rule } | DraftProblem;

function refused(field: keyof RuleText, problem: string, action: number | null = null, line: number | null = null) {
  return { ok: false as const, field, problem, action, line };
}

/** A rule as the form shows it. */
export function textOf(rule: Rule): RuleText {
  return {
    name: rule.name,
    when: rule.when,
    group: rule.group ?? '',
    limit: rule.limit === undefined ? '' : String(rule.limit),
    actions: { view: 'form', list: rule.do.map(textOfAction) },
  };
}

type ReadActions = { ok: true; actions: unknown } | DraftProblem;

function actionsIn(actions: ActionsText): ReadActions {
  const read: unknown[] = [];
  // The form's actions are read one after another: the index identifies the faulty one.
  const place = () => (actions.view === 'form' ? read.length : null);
  try {
    if (actions.view === 'json') return { ok: true, actions: jsonIn(actions.text) };
    for (const each of actions.list) read.push(actionOf(each));
    return { ok: true, actions: read };
  } catch (error) {
    if (!(error instanceof FieldsFault)) throw error;
    return refused('actions', error.message, place(), error.line);
  }
}

/** The other view of the same actions; null: they can't be read as they are. */
export function asView(actions: ActionsText, view: ActionsText['view']): ActionsText | null {
  const read = actionsIn(actions);
  if (actions.view === view) return actions;
  if (!read.ok) return null;
  if (view === 'json') return { view, text: JSON.stringify(read.actions, null, 2) };
  const parsed = parseRule({ name: 'rule', do: read.actions });
  return parsed.ok ? { view, list: parsed.rule.do.map(textOfAction) } : null;
}

/** The rule with the text's changes; the rest stays unchanged. */
export function ruleFrom(text: RuleText, { group: _group, limit: _limit, ...rule }: Rule): DraftResult {
  const query = parseRuleQuery(text.when);
  if (text.name.trim() === '') return refused('name', 'Give the rule a name.');
  if (!query.ok) return refused('when', query.problem.message);
  const limit = text.limit.trim();
  if (limit !== '' && !/^[1-9]\d{0,8}$/.test(limit))
    return refused('limit', 'Enter a whole number from 1, or leave it empty.');
  const read = actionsIn(text.actions);
  if (!read.ok) return read;
  const group = text.group.trim();
  const parsed = parseRule({
    ...rule,
    ...(group !== '' && { group }),
    ...(limit !== '' && { limit: Number(limit) }),
    name: text.name.trim(),
    when: text.when,
    do: read.actions,
  });
  if (parsed.ok) return parsed;
  const [, place = null, problem = parsed.problem] = /^do\.(\d+)\.(.*)$/s.exec(parsed.problem) ?? [];
  if (place === null || text.actions.view === 'json')
    return refused('actions', parsed.problem.replace(/^do\b/, 'actions'));
  return refused('actions', problem, Number(place));
}
