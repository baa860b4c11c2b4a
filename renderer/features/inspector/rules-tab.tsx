import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { RuleOutcome } from '../../../shared/model/rule/rule.ts';
import { doneInWords } from '../rules/rule-words.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';

/** One line for each field, which is what the comparison works on. */
function fieldLines(headers: RawHeaders): string[] {
  const lines: string[] = [];
  for (let index = 0; index < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return lines;
}

// The first line is what HTTP/1.1 would put into the request line, also for HTTP/2.
const requestLines = ({ method, scheme, authority, path, headers }: RequestMessage) => [
  `${method} ${scheme}://${authority}${path}`,
  ...fieldLines(headers),
];
const responseLines = ({ status, headers }: ResponseMessage) => [String(status), ...fieldLines(headers)];

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
 * The rules that were applied to an exchange, and what they changed: the head that arrived beside the one that was
 * sent.
 */
export function RulesTab({ exchange: { rules, request, sent, response, received, mark } }: { exchange: Exchange }) {
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
      {sent && <Diff title="Request" before={requestLines(request)} after={requestLines(sent)} />}
      {response && received && (
        <Diff title="Response" before={responseLines(received)} after={responseLines(response)} />
      )}
    </>
  );
}

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', removed: '−', added: '+' };

/** Lines that arrived and were not sent are removed; lines that were sent and did not arrive are added. */
function Diff({ title, before, after }: { title: string; before: string[]; after: string[] }) {
  return (
    <section className="diff-section">
      <h3>{title}: as it arrived, and as it was sent</h3>
      <pre className="diff">
        {diffLines(before, after).map(({ id, kind, text }) => (
          <span key={id} className={`diff-line ${kind}`}>
            {SIGNS[kind]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}
