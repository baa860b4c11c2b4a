import { parsePairs, queryOf, urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { InformationalMessage } from '../../../shared/model/message.ts';
import { CopyButton } from '../../ui/copy-button.tsx';

/** URL, query, and the header fields as sent, with their order, case and duplicates. */
export function HeadersTab({ exchange: { request, response, failure } }: { exchange: Exchange }) {
  const url = urlOf(request);
  // Decoded for reading; the URL above is as sent.
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

/** A React key for each item: its name and its position among items of that name. Header fields and 1xx can repeat. */
function numbered<T>(all: readonly T[], nameOf: (each: T) => string): [key: string, each: T][] {
  const seen = new Map<string, number>();
  return all.map((each) => {
    const name = nameOf(each);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [`${name} ${count}`, each];
  });
}

/** A 1xx response, which precedes the final one. */
function Before({ message: { status, statusText, headers } }: { message: InformationalMessage }) {
  return <Fields title={`Interim response · ${status} ${statusText}`} headers={headers} />;
}

/** A block of header fields. */
function Fields({ title, headers }: { title: string; headers: RawHeaders }) {
  return <Pairs title={title} pairs={headerPairs(headers)} separator=": " />;
}

interface PairsProps {
  title: string;
  pairs: readonly (readonly [name: string, value: string])[];
  /** Put between name and value when copied. */
  separator: string;
}

/** Pairs of name and value under a heading, with a button that copies all of them. */
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
