import { compileFilter } from '../../../shared/filter/compile.ts';
import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';

/** A rule as text fields. */
export interface RuleText {
  name: string;
  when: string;
  /** JSON: the list of actions. */
  actions: string;
}

/** The rule, or the first problem and the field that shows it. */
export type DraftResult = { ok: true; rule: Rule } | { ok: false; field: keyof RuleText; problem: string };

/** The default of a switch is off, except for a script's body. */
const USUAL: Record<string, boolean> = { script: true };

/** Defaults are left out: they would hide what the user wrote. */
function withoutDefaults(actions: Rule['do']): unknown {
  return actions.map((action) =>
    Object.fromEntries(
      Object.entries(action).map(([name, fields]) => [
        name,
        Object.fromEntries(
          Object.entries(fields as object).filter(
            ([, value]) => value !== (USUAL[name] ?? false) && value !== undefined,
          ),
        ),
      ]),
    ),
  );
}

/** A rule as the form shows it. Group and limit have no field: they stay as they are. */
export function textOf(rule: Rule): RuleText {
  return { name: rule.name, when: rule.when, actions: JSON.stringify(withoutDefaults(rule.do), null, 2) };
}

/** The rule with the text's changes; the rest of it stays. */
export function ruleFrom(text: RuleText, rule: Rule): DraftResult {
  const filter = compileFilter(text.when);
  if (text.name.trim() === '') return { ok: false, field: 'name', problem: 'Give the rule a name.' };
  if (!filter.ok) return { ok: false, field: 'when', problem: filter.problem.message };
  let actions: unknown;
  try {
    actions = JSON.parse(text.actions);
  } catch (error) {
    return {
      ok: false,
      field: 'actions',
      problem: `Not valid JSON: ${error instanceof Error ? error.message : error}`,
    };
  }
  const parsed = parseRule({ ...rule, name: text.name.trim(), when: text.when, do: actions });
  return parsed.ok ? parsed : { ok: false, field: 'actions', problem: parsed.problem.replace(/^do\b/, 'actions') };
}
