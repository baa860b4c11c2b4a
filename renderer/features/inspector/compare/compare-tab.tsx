import { X } from 'lucide-react';
import type { BodySide } from '../../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useApp, useWindow } from '../../app-context.ts';
import { showExchange } from '../../compare/comparison-actions.ts';
import { connectionFacts, withoutUpstream } from '../connection-facts.ts';
import { Phases } from '../phase-bars.tsx';
import { ComparedBodies } from './compared-bodies.tsx';
import { Diff } from './diff.tsx';
import { requestLines, responseLines } from './head-lines.ts';
import { useOtherExchange } from './use-other-exchange.ts';

/** This exchange compared with another one, of this session or of another: heads, bodies, timings, connection. */
export function CompareTab({ exchange }: { exchange: Exchange }) {
  const { store, table } = useApp();
  const compareWith = useWindow((state) => state.compareWith);
  const other = useOtherExchange();
  const choose = () => store.setState({ compareWith: { session: table.sessionId, id: exchange.id } });
  if (compareWith === null) {
    return (
      <div className="pad">
        <p className="muted">Choose the exchange to compare with here or in a row's menu, then select another one.</p>
        <p className="compare-start">
          <Button onClick={choose}>Compare others with this exchange</Button>
        </p>
      </div>
    );
  }
  if (compareWith.id === exchange.id && compareWith.session === table.sessionId)
    return <p className="pad muted">Others are compared with this exchange. Select another one.</p>;
  if (other === null) return <p className="pad muted">Loading exchange…</p>;
  return <Comparison session={other.session} before={other.exchange} after={exchange} />;
}

interface ComparisonProps {
  /** The session of `before`; `after` is of the shown one. */
  session: string;
  before: Exchange;
  after: Exchange;
}

function Comparison({ session, before, after }: ComparisonProps) {
  const app = useApp();
  const bodies = (side: BodySide) => ({
    ...{ before: { session, exchange: before, side }, side },
    after: { session: app.table.sessionId, exchange: after, side },
  });
  return (
    <>
      <p className="timings-head">
        <span className="compared">
          <i className="key base" aria-hidden="true" /> compared with{' '}
          <button type="button" className="link" onClick={() => showExchange(app, session, before.id)}>
            #{before.id} {before.request.method} {before.request.path}
          </button>
          {session !== app.table.sessionId && ' of another session'}
          <IconButton
            icon={X}
            size={13}
            label="Stop comparing"
            title="Stop comparing"
            onClick={() => app.store.setState({ compareWith: null })}
          />
        </span>
      </p>
      <Diff title="Request" before={requestLines(before.request)} after={requestLines(after.request)} />
      <ComparedBodies {...bodies('request')} />
      <Diff title="Response" before={responseOf(before)} after={responseOf(after)} />
      <ComparedBodies {...bodies('response')} />
      <section className="diff-section">
        <h2>Timings</h2>
        <Phases timings={after.timings} base={before.timings} running={null} />
      </section>
      <Diff title="Client to Roundtrip" before={clientLines(before)} after={clientLines(after)} />
      <Diff title="Roundtrip to upstream" before={upstreamLines(before)} after={upstreamLines(after)} />
    </>
  );
}

/** A failure comes first: it explains a response that is cut short or missing. */
function responseOf({ response, failure }: Exchange): string[] {
  return [...(failure ? [failure.message] : []), ...(response ? responseLines(response) : ['No response'])];
}

/** Numbers and local ports differ in any two connections. */
const ALWAYS_DIFFERENT = new Set(['Connection', 'Local address']);

function factLines(connection: ConnectionInfo, exchange: Exchange): string[] {
  return [
    ...(connection.id === 0 ? [] : [connection.reused ? 'Reused' : 'New']),
    ...connectionFacts(connection, exchange).flatMap(([name, value]) =>
      value === null || ALWAYS_DIFFERENT.has(name) ? [] : [`${name}: ${value}`],
    ),
  ];
}

/** Without the client's port, which differs too. */
function clientLines(exchange: Exchange): string[] {
  const { client } = exchange;
  const remoteAddress = client.remoteAddress?.replace(/:\d+$/, '') ?? null;
  return factLines({ ...client, remoteAddress }, exchange);
}

function upstreamLines(exchange: Exchange): string[] {
  return exchange.upstream ? factLines(exchange.upstream, exchange) : [withoutUpstream(exchange)];
}
