import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Header fields as sent: order, case and duplicates. */
export function HeadersTab({ exchange: { request, response, failure } }: { exchange: Exchange }) {
  const url = urlOf(request);
  return (
    <>
      <div className="summary">
        <b>{request.method}</b> <span className="url">{url}</span>
        <CopyButton text={url} label="Copy URL" />
      </div>
      {failure && (
        <p className="problem">
          <code>{failure.code}</code> {failure.message}
        </p>
      )}
      {response && (
        <Fields
          title={`Response · ${response.httpVersion} ${response.status} ${response.statusText}`}
          headers={response.headers}
        />
      )}
      {response && response.trailers.length > 0 && <Fields title="Response trailers" headers={response.trailers} />}
      {response?.informational.map((message, index) => (
        <Fields
          // biome-ignore lint/suspicious/noArrayIndexKey: they are told apart by their place alone, and never move
          key={index}
          title={`Before · ${message.status} ${message.statusText}`}
          headers={message.headers}
        />
      ))}
      <Fields title={`Request · ${request.httpVersion}`} headers={request.headers} />
      {request.trailers.length > 0 && <Fields title="Request trailers" headers={request.trailers} />}
    </>
  );
}

function Fields({ title, headers }: { title: string; headers: RawHeaders }) {
  const pairs = headerPairs(headers);
  return (
    <section className="fields">
      <h3>
        {title}{' '}
        <CopyButton text={pairs.map(([name, value]) => `${name}: ${value}`).join('\n')} label={`Copy ${title}`} />
      </h3>
      <dl>
        {pairs.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names come twice, and never move
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
