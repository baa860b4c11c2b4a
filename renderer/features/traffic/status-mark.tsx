import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { failureWord } from './failure-badge.ts';

type Shown = Pick<ExchangeSummary, 'state' | 'status' | 'failureCode'>;

/** How an exchange ended, or that it has not: a status, a failure in one word, or a sign of life. */
export function StatusMark({ row: { state, status, failureCode } }: { row: Shown }) {
  // A browser that has read all it wants, as of a redirect, ends the exchange: the status is still what came of it.
  if (state === 'aborted' && status === 0) return <span className="muted">aborted</span>;
  if (state === 'aborted') {
    return (
      <span className={`status s${Math.floor(status / 100)}`} title="The client ended it before the last byte">
        {status} <span className="cut">cut</span>
      </span>
    );
  }
  if (state === 'complete' && status > 0 && failureCode !== null) {
    return (
      <span className={`status s${Math.floor(status / 100)}`} title={`It passed, with a fault: ${failureCode}`}>
        {status} <span className="cut">faulty</span>
      </span>
    );
  }
  if (failureCode !== null) {
    return (
      <span className="failure" title={failureCode}>
        {failureWord(failureCode)}
      </span>
    );
  }
  if (status === 0) return <span className="status pending">···</span>;
  return <span className={`status s${Math.floor(status / 100)}`}>{status}</span>;
}
