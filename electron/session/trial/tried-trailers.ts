import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import type { RequestHead, ResponseHead } from '../../engine/http/message.ts';
import {
  changedTrailers,
  trailerChanges,
  trailersAfterEdit,
  trailersProblem,
  withTrailersChanged,
} from '../../engine/rules/trailers.ts';

/** A message whose trailers rules may change. */
interface Trailing<H> {
  head: H;
  /** As they were recorded. */
  trailers: RawHeaders;
  /** A message that has none gets no trailers. */
  hasBody: boolean;
  isEdited: boolean;
}

/**
 * The trailers after the changes, and the head that allows them. `problem`: why there are none, as part of a sentence.
 */
export function triedTrailers<H extends RequestHead | ResponseHead>(
  { head, trailers, hasBody, isEdited }: Trailing<H>,
  all: readonly ChangeMessage[],
): { head: H; trailers: RawHeaders; problem: string | null } {
  const kept = isEdited ? trailersAfterEdit(trailers) : trailers;
  const changes = trailerChanges(all.map((change) => ({ change }))).map(({ change }) => change);
  const problem = changes.length === 0 ? null : trailersProblem([head.version], hasBody);
  if (changes.length === 0 || problem !== null) return { head, trailers: kept, problem };
  const isHttp2 = head.version === 'HTTP/2.0';
  return {
    head: { ...head, ...withTrailersChanged(head, changes) },
    trailers: changedTrailers(kept, changes, isHttp2),
    problem: null,
  };
}
