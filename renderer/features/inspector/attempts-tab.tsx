import { formatDuration } from '../../../shared/format/durations.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';

export function AttemptsTab({ exchange: { attempts, failure } }: { exchange: Exchange }) {
  return (
    <>
      {failure && (
        <div className="problem big" role="alert">
          <code>{failure.code}</code>
          <p>{failure.message}</p>
          <small>
            On the side of {failure.side.replace('-', ' ')}
            {failure.cause && ` · ${failure.cause}`}
          </small>
        </div>
      )}
      {attempts.length === 0 && <p className="pad muted">Nothing was tried upstream.</p>}
      <ol className="attempts">
        {attempts.map((attempt, index) => (
          <li key={attempt.startedAfter}>
            <b>Attempt {index + 1}</b> after {formatDuration(attempt.startedAfter)}, took{' '}
            {formatDuration(attempt.duration)}
            {attempt.connection &&
              ` over connection ${attempt.connection.id} to ${attempt.connection.remoteAddress ?? 'nowhere'}`}
            {attempt.failure && (
              <p>
                <code>{attempt.failure.code}</code> {attempt.failure.message}
              </p>
            )}
            {attempt.retryReason && <small>Tried again: {attempt.retryReason}</small>}
          </li>
        ))}
      </ol>
    </>
  );
}
