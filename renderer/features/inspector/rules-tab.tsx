import type { BodySide, RecordedSide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { RuleOutcome } from '../../../shared/model/rule/rule.ts';
import { useApp } from '../app-context.ts';
import { RuleVerdictList } from '../rules/explain/rule-verdict-list.tsx';
import { doneInWords } from '../rules/rule-words.ts';
import { ComparedBodies } from './compare/compared-bodies.tsx';
import { Diff } from './compare/diff.tsx';
import { requestLines, responseLines } from './compare/head-lines.ts';
import { EditedMessages } from './messages/message-edits.tsx';

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

/** The rules that were applied to an exchange, and what they changed: what arrived, compared with what was sent. */
export function RulesTab({ exchange }: { exchange: Exchange }) {
  return (
    <>
      <Applied exchange={exchange} />
      <RuleVerdictList exchange={exchange} />
    </>
  );
}

function Applied({ exchange }: { exchange: Exchange }) {
  const { rules, mark } = exchange;
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
      <Changes exchange={exchange} />
    </>
  );
}

/** `sent` and `received` exist only for a message that a rule changed. */
function Changes({ exchange }: { exchange: Exchange }) {
  const { request, sent, response, received, messageEdits } = exchange;
  const title = 'as it arrived, and as it was sent';
  return (
    <>
      {sent && <Diff title={`Request: ${title}`} before={requestLines(request)} after={requestLines(sent)} />}
      {sent?.body.own && <EditedBody exchange={exchange} side="request" from="request" to="sent" />}
      {response && received && (
        <Diff title={`Response: ${title}`} before={responseLines(received)} after={responseLines(response)} />
      )}
      {received?.body.own && <EditedBody exchange={exchange} side="response" from="received" to="response" />}
      {messageEdits && <EditedMessages edits={messageEdits} />}
    </>
  );
}

interface EditedBodyProps {
  exchange: Exchange;
  side: BodySide;
  from: RecordedSide;
  to: RecordedSide;
}

function EditedBody({ exchange, side, from, to }: EditedBodyProps) {
  const session = useApp().table.sessionId;
  const place = (of: RecordedSide) => ({ session, exchange, side: of });
  return <ComparedBodies before={place(from)} after={place(to)} side={side} />;
}
