import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { failureWord } from './failure-badge.ts';

type Shown = Pick<ExchangeSummary, 'state' | 'status' | 'failureCode'>;

/** The outcome of an exchange: its status, a failure in one word, or dots while it is open. */
export function StatusMark({ row: { state, status, failureCode } }: { row: Shown }) {
  // A browser may end an exchange once it has read enough, for example the head of a redirect: the status still counts.
  if (state === 'aborted' && status === 0) return <span className="muted">aborted</span>;
  if (state === 'aborted') {
    return (
      <span
        className={`status s${Math.floor(status / 100)}`}
        title="The client closed the exchange before the last byte"
      >
        {status} <span className="cut">cut</span>
      </span>
    );
  }
  if (state === 'complete' && status > 0 && failureCode !== null) {
    // Otherwise forwarded as it came although it violates RFC 9112 (`upstream.faulty-response`).
    const isOurs = failureCode === 'rules.script-failed';
    return (
      <span
        className={`status s${Math.floor(status / 100)}`}
        title={isOurs ? `A script of a rule failed: ${failureCode}` : `Forwarded with a fault: ${failureCode}`}
      >
        {status} <span className="cut">{isOurs ? 'script' : 'faulty'}</span>
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
