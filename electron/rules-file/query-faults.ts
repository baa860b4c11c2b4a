import { phaseOfTerm } from '../../shared/filter/fields.ts';
import type { Query } from '../../shared/filter/query.ts';
import { parseRuleQuery } from '../../shared/filter/rule-query.ts';
import { tokenize } from '../../shared/filter/tokens.ts';
import { phasesOf } from '../../shared/model/rule/actions.ts';
import { comparePhases, type ExchangePhase, latestPhase } from '../../shared/model/rule/exchange-phase.ts';
import type { Rule } from '../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { JsonPath, JsonSource } from './json-source.ts';

const WHEN_KNOWN: Readonly<Record<ExchangePhase, string>> = {
  request: 'with the request',
  response: 'once the response begins',
  end: 'at the end of the exchange',
};
const REMEDIES: Readonly<Record<ExchangePhase, string>> = {
  request: '',
  response: 'Remove it, or act on the response: changeResponse, or delay with "before": "response".',
  end: 'Remove it: only mark is applied that late.',
};

/** For each term, in the order of the text, whether it is negated. */
function negations(query: Query, negated = false): boolean[] {
  if (query.kind === 'all') return [];
  if (query.kind === 'term' || query.kind === 'content') return [negated];
  if (query.kind === 'not') return negations(query.of, !negated);
  return query.parts.flatMap((part) => negations(part, negated));
}

/** What is wrong with the query of a rule. `path`: of the rule. */
export function queryFaults(source: JsonSource, rule: Rule, path: JsonPath): RuleFault[] {
  const place = [...path, 'when'];
  const parsed = parseRuleQuery(rule.when);
  if (!parsed.ok) return [source.faultInText(place, parsed.problem.position, parsed.problem.message)];
  const acts = latestPhase(rule.do.flatMap(phasesOf));
  const negated = negations(parsed.query);
  const terms = tokenize(rule.when).filter((token) => token.kind === 'term');
  return terms.flatMap((term, index) => {
    const known = phaseOfTerm(term);
    if (comparePhases(known, acts) <= 0) return [];
    const text = rule.when.slice(term.position, term.position + term.length);
    const outcome = negated[index] ? 'its negation always matches' : 'it can never match';
    const reason =
      `${text} is known only ${WHEN_KNOWN[known]}, and this rule acts ` +
      `${acts === 'request' ? 'on the request' : 'before that'}: ${outcome}.`;
    return [source.faultInText(place, term.position, `${reason} ${REMEDIES[known]}`)];
  });
}
