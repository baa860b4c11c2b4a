import { Fragment } from 'react';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { CopyLine } from '../../ui/copy-button.tsx';

export function ConnectionTab({ exchange: { client, upstream } }: { exchange: Exchange }) {
  return (
    <>
      <Side title="Client to Roundtrip" connection={client} />
      {upstream ? (
        <Side title="Roundtrip to upstream" connection={upstream} />
      ) : (
        <p className="pad muted">It never got a connection upstream.</p>
      )}
    </>
  );
}

function factsOf({
  id,
  protocol,
  localAddress,
  remoteAddress,
  reused,
  tls,
  via,
}: ConnectionInfo): [string, string | null][] {
  return [
    ['Connection', `${id}, ${reused ? 'reused' : 'new'}`],
    ['Protocol', protocol],
    ['Local address', localAddress],
    ['Remote address', remoteAddress],
    ['Through', via],
    ['TLS', tls ? `${tls.version}${tls.resumed ? ', resumed' : ''}` : 'none'],
    ['Cipher', tls?.cipher ?? null],
    ['ALPN', tls?.alpn ?? null],
    ['Server name', tls?.serverName ?? null],
  ];
}

function Side({ title, connection }: { title: string; connection: ConnectionInfo }) {
  const certificate = connection.tls?.certificate;
  const facts = factsOf(connection);
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
