import { formatDuration } from '../../../shared/format/durations.ts';
import type { Attempt, Exchange } from '../../../shared/model/exchange.ts';
import { RETRY_REASONS } from '../../../shared/model/insight/retry-reasons.ts';

/** The failure of the exchange, and each attempt to send its request upstream with the reason for the next one. */
export function AttemptsTab({ exchange: { attempts, failure } }: { exchange: Exchange }) {
  return (
    <>
      {failure && (
        <div className="problem big" role="alert">
          <code>{failure.code}</code>
          <p>{failure.message}</p>
          <small>
            Side: {failure.side.replace('-', ' ')}
            {failure.cause && ` · ${failure.cause}`}
          </small>
        </div>
      )}
      {attempts.length === 0 && <p className="pad muted">No upstream attempts</p>}
      <ol className="attempts">
        {attempts.map((attempt, index) => (
          <li key={attempt.startedAfter}>
            <AttemptFacts attempt={attempt} number={index + 1} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** One attempt. Times count from the exchange's start, milliseconds. */
function AttemptFacts({ attempt, number }: { attempt: Attempt; number: number }) {
  const { startedAfter, duration, connection, failure, retryReason } = attempt;
  return (
    <>
      <div className="attempt">
        <b>Attempt {number}</b>
        <span>
          {formatDuration(duration)}, started after {formatDuration(startedAfter)}
        </span>
      </div>
      {connection && (
        <p className="muted">
          {connection.reused ? 'Reused' : 'New'} connection {connection.id} to{' '}
          {connection.remoteAddress ?? 'unknown address'}
        </p>
      )}
      {failure && (
        <p>
          <code>{failure.code}</code> {failure.message}
        </p>
      )}
      {/* An unknown reason is shown as it is rather than hidden. */}
      {retryReason && <small>Retried: {RETRY_REASONS[retryReason] ?? retryReason}.</small>}
    </>
  );
}
