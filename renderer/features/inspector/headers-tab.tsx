import { parsePairs, queryOf, urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { InformationalMessage } from '../../../shared/model/message.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** Header fields as sent: order, case and duplicates. */
export function HeadersTab({ exchange: { request, response, failure } }: { exchange: Exchange }) {
  const url = urlOf(request);
  const query = parsePairs(queryOf(request.path)).map(({ name, value }): [string, string] => [name, value]);
  return (
    <>
      <div className="summary">
        <span className="url">{url}</span>
        <CopyButton text={url} label="Copy URL" />
      </div>
      {query.length > 0 && <Pairs title="Query" pairs={query} separator="=" />}
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
      {numbered(response?.informational ?? [], ({ status }) => String(status)).map(([key, message]) => (
        <Before key={key} message={message} />
      ))}
      <Fields title={`Request · ${request.httpVersion}`} headers={request.headers} />
      {request.trailers.length > 0 && <Fields title="Request trailers" headers={request.trailers} />}
    </>
  );
}

/** A key for each: its name, and which of that name it is. Names come twice, in header fields as in 1xx answers. */
function numbered<T>(all: readonly T[], nameOf: (each: T) => string): [key: string, each: T][] {
  const seen = new Map<string, number>();
  return all.map((each) => {
    const name = nameOf(each);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [`${name} ${count}`, each];
  });
}

function Before({ message: { status, statusText, headers } }: { message: InformationalMessage }) {
  return <Fields title={`Before · ${status} ${statusText}`} headers={headers} />;
}

function Fields({ title, headers }: { title: string; headers: RawHeaders }) {
  return <Pairs title={title} pairs={headerPairs(headers)} separator=": " />;
}

interface PairsProps {
  title: string;
  pairs: readonly (readonly [name: string, value: string])[];
  /** Between name and value, where they are copied. */
  separator: string;
}

function Pairs({ title, pairs, separator }: PairsProps) {
  return (
    <section className="fields">
      <h2>
        {title}{' '}
        <CopyButton
          text={pairs.map(([name, value]) => `${name}${separator}${value}`).join('\n')}
          label={`Copy ${title}`}
        />
      </h2>
      {pairs.length === 0 && <p className="muted">None</p>}
      <dl>
        {numbered(pairs, ([name]) => name).map(([key, [name, value]]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
