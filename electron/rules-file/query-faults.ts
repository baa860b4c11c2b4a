import { parseQuery } from '../../shared/filter/parse.ts';
import type { Query } from '../../shared/filter/query.ts';
import { type Token, tokenize } from '../../shared/filter/tokens.ts';
import { phasesOf } from '../../shared/model/rule/actions.ts';
import type { Rule } from '../../shared/model/rule/rule.ts';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { JsonPath, JsonSource } from './json-source.ts';

type Term = Extract<Token, { kind: 'term' }>;

/** When something about an exchange is known, or an action is applied. */
const MOMENTS = ['request', 'response', 'end'] as const;
type Moment = (typeof MOMENTS)[number];

/** Fields of a query that are known later than the request. Those that are not here are known from the request on. */
export const LATER_FIELDS: Readonly<Record<string, Moment>> = {
  status: 'response',
  type: 'response',
  ttfb: 'response',
  attempts: 'response',
  'request-size': 'response',
  total: 'end',
  overhead: 'end',
  size: 'end',
  error: 'end',
};
/** The same for the words of `is:`. */
export const LATER_WORDS: Readonly<Record<string, Moment>> = {
  error: 'response',
  redirect: 'response',
  reused: 'response',
  fresh: 'response',
  retried: 'response',
  complete: 'end',
  failed: 'end',
  aborted: 'end',
};

const WHEN_KNOWN: Readonly<Record<Moment, string>> = {
  request: 'with the request',
  response: 'once the response begins',
  end: 'at the end of the exchange',
};
const REMEDIES: Readonly<Record<Moment, string>> = {
  request: '',
  response: 'Remove it, or act on the response: changeResponse, or delay with "before": "response".',
  end: 'Remove it: only mark is applied that late.',
};

function earliest(moments: readonly Moment[]): Moment {
  return MOMENTS.find((moment) => moments.includes(moment)) ?? 'request';
}

function latest(moments: readonly Moment[]): Moment {
  return MOMENTS.findLast((moment) => moments.includes(moment)) ?? 'request';
}

function knownAt({ field, value, quoted }: Term): Moment {
  if (field !== 'is') return LATER_FIELDS[field ?? ''] ?? 'request';
  // One of several words is enough.
  const words = quoted ? [value] : value.split(',').filter((word) => word !== '');
  return earliest(words.map((word) => LATER_WORDS[word.toLowerCase()] ?? 'request'));
}

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
  const parsed = parseQuery(rule.when);
  if (!parsed.ok) return [source.faultInText(place, parsed.problem.position, parsed.problem.message)];
  const acts = latest(rule.do.flatMap(phasesOf));
  const negated = negations(parsed.query);
  const terms = tokenize(rule.when).filter((token) => token.kind === 'term');
  return terms.flatMap((term, index) => {
    const known = knownAt(term);
    if (MOMENTS.indexOf(known) <= MOMENTS.indexOf(acts)) return [];
    const text = rule.when.slice(term.position, term.position + term.length);
    const outcome = negated[index] ? 'its negation always matches' : 'it can never match';
    const reason = `${text} is known only ${WHEN_KNOWN[known]}, and this rule acts ${acts === 'request' ? 'on the request' : 'before that'}: ${outcome}.`;
    return [source.faultInText(place, term.position, `${reason} ${REMEDIES[known]}`)];
  });
}
