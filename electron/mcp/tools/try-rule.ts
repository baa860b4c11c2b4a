import * as v from 'valibot';
import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';
import { TRIAL_HITS } from '../../../shared/model/rule/trial.ts';
import { roundtripError } from '../../failures/errors.ts';
import { defineTool } from '../define-tool.ts';
import { changedLines } from '../read/changed-lines.ts';
import { predicateOf } from '../read/rows.ts';
import { count, Session } from './common-inputs.ts';

/**
 * A rule as in rules files (docs/rules.md). The same schema checks it; its shape here would cost every agent tokens.
 */
export const RuleInput = v.record(v.string(), v.unknown());

/** Throws `agents.bad-rule`. */
export function ruleOf(input: v.InferOutput<typeof RuleInput>): Rule {
  const parsed = parseRule(input);
  if (parsed.ok) return parsed.rule;
  throw roundtripError('agents.bad-rule', { detail: parsed.problem });
}

/** Agents may not read files: a diff or a response would reveal their content. Throws `agents.bad-rule`. */
export function refuseFiles({ do: actions }: Rule): void {
  const given = actions.flatMap((action) => Object.values(action)).flatMap((action) => Object.keys(action));
  const named = FILES.find((field) => given.includes(field));
  if (named) throw roundtripError('agents.bad-rule', { detail: `agents may not read files: "${named}" must go` });
}
const FILES = ['file', 'folder', 'bodyFile'];

export const tryRule = defineTool({
  name: 'try_rule',
  description:
    'Runs a rule over recorded exchanges without sending anything: its faults, how many match, and for the first ' +
    'what it changes (lines with - and +; scripts run, secrets are removed before). A rule: ' +
    '{"name","when":query,"do":[action]}; an action is one of {"answer":{"status","headers":[[n,v]],"body"}}, ' +
    '{"changeRequest":{"setHeaders":[[n,v]]}}, {"changeResponse":{"replaceBody":[{"find","with"}]}}, ' +
    '{"delay":{"ms"}}, {"fail":{"how":"reset"}}.',
  input: v.strictObject({ rule: RuleInput, limit: count(TRIAL_HITS, TRIAL_HITS), session: Session }),
  async run({ rule: input, limit, session: named }, context, signal) {
    const rule = ruleOf(input);
    refuseFiles(rule);
    predicateOf(rule.when);
    const session = await context.sessionId(named);
    const stop = () => void context.api.request('rules.try-stop', {}).catch(() => null);
    const { trial } = await context.trials.take(async () => {
      signal.addEventListener('abort', stop);
      const trying = context.api.request('rules.try', { session, rule, redact: true });
      return await trying.finally(() => signal.removeEventListener('abort', stop));
    });
    const actions = rule.do.flatMap((action) => Object.keys(action));
    if (trial === null) return { rule, actions, stopped: true };
    const hits = trial.hits.slice(0, limit).map(({ diffs, ...hit }) => ({ ...hit, changes: diffs.map(changedLines) }));
    return { rule, actions, searched: trial.searched, matching: trial.matching, hits };
  },
});
