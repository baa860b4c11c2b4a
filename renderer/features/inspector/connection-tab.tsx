import { Fragment } from 'react';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { UpstreamRoute } from '../../../shared/model/proxy/upstream-route.ts';
import { CopyLine } from '../../ui/copy-button.tsx';
import { connectionFacts, withoutUpstream } from './connection-facts.ts';
import { Probes } from './probes.tsx';

/** Both connections of an exchange with their TLS facts, and how the route upstream was chosen. */
export function ConnectionTab({ exchange }: { exchange: Exchange }) {
  const { client, upstream, route } = exchange;
  return (
    <>
      <Side title="Client to Roundtrip" connection={client} exchange={exchange} />
      {route && <Way route={route} />}
      {upstream ? (
        <Side title="Roundtrip to upstream" connection={upstream} exchange={exchange} />
      ) : (
        <p className="pad muted">{withoutUpstream(exchange)}</p>
      )}
      {exchange.kind === 'http' && <Probes exchange={exchange} />}
    </>
  );
}

/** The proxy decision with its reason; for a proxy that refused, its response as the proxy sent it. */
function Way({ route: { via, reason, answer, override } }: { route: UpstreamRoute }) {
  return (
    <section className="fields">
      <h2>Route</h2>
      <dl className="facts">
        <dt>Proxy</dt>
        <dd>{via ?? 'None'}</dd>
        <dt>Reason</dt>
        <dd>{reason.charAt(0).toUpperCase() + reason.slice(1)}</dd>
        {override && (
          <>
            <dt>Host rule</dt>
            <dd>{override}</dd>
          </>
        )}
        {answer && (
          <>
            <dt>Proxy response</dt>
            <dd>
              {answer.status} {answer.statusText}
              {answer.contentType !== '' && <small>{answer.contentType}</small>}
            </dd>
          </>
        )}
      </dl>
      {/* Proxies explain a refusal in the body, often as HTML: shown as text, never rendered. */}
      {answer && answer.body !== '' && <pre className="proxy-response">{answer.body}</pre>}
    </section>
  );
}

/** One connection with its TLS session and, if the peer showed one, its certificate. */
function Side({ title, connection, exchange }: { title: string; connection: ConnectionInfo; exchange: Exchange }) {
  const certificate = connection.tls?.certificate;
  const facts = connectionFacts(connection, exchange);
  if (certificate) {
    facts.push(
      ['Subject', certificate.subject],
      ['Issuer', certificate.issuer],
      ['Names', certificate.altNames.join(', ')],
      ['Valid', `${certificate.notBefore.slice(0, 10)} to ${certificate.notAfter.slice(0, 10)}`],
    );
  }
  return (
    <section className="fields">
      <h2>{title}</h2>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ),
        )}
        {certificate && (
          <>
            <dt>SHA-256</dt>
            <dd>
              <CopyLine text={certificate.fingerprint} label="Copy server fingerprint" />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
