import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RuleOutcome } from '../../../shared/model/rule/rule.ts';
import { RuleVerdictList } from '../rules/explain/rule-verdict-list.tsx';
import { doneInWords } from '../rules/rule-words.ts';
import { Diff } from './compare/diff.tsx';
import { requestLines, responseLines } from './compare/head-lines.ts';

/** One outcome for each rule: a rule may act on the request, on the response, and at the end. */
function byRule(outcomes: readonly RuleOutcome[]): RuleOutcome[] {
  const rules = new Map<number, RuleOutcome>();
  for (const outcome of outcomes) {
    const known = rules.get(outcome.index);
    const actions = [...(known?.actions ?? []), ...outcome.actions];
    rules.set(outcome.index, { ...outcome, actions, problem: known?.problem ?? outcome.problem });
  }
  return [...rules.values()];
}

/**
 * The rules that were applied to an exchange, and what they changed: the head that arrived, compared with the one that
 * was sent.
 */
export function RulesTab({ exchange }: { exchange: Exchange }) {
  return (
    <>
      <Applied exchange={exchange} />
      <RuleVerdictList exchange={exchange} />
    </>
  );
}

/** `sent` and `received` are there only for a head that a rule changed: the other head is as it was. */
function Applied({ exchange: { rules, request, sent, response, received, mark } }: { exchange: Exchange }) {
  if (rules.length === 0) return <p className="pad muted">No rule was applied to this exchange.</p>;
  return (
    <>
      <ol className="attempts">
        {byRule(rules).map(({ index, name, actions, problem }) => (
          <li key={index}>
            <div className="attempt">
              <b>{name}</b>
              <span>{actions.map(doneInWords).join(', ')}</span>
            </div>
            <small>Rule {index + 1} of the list</small>
            {problem && <p className="problem">Not applied as written: {problem}.</p>}
          </li>
        ))}
      </ol>
      {mark?.note && <p className="pad">{mark.note}</p>}
      {sent && (
        <Diff
          title="Request: as it arrived, and as it was sent"
          before={requestLines(request)}
          after={requestLines(sent)}
        />
      )}
      {response && received && (
        <Diff
          title="Response: as it arrived, and as it was sent"
          before={responseLines(received)}
          after={responseLines(response)}
        />
      )}
    </>
  );
}
