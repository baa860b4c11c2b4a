import { EventScanner } from '../../../shared/format/event-scanner.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import type { ResponseMessage } from '../../../shared/model/message.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { bodyCodings } from '../format/content-codings.ts';

/** Events of one stream: each takes some hundred bytes of memory. The body has those after them. */
const MOST = 200_000;

/**
 * The events of an imported stream, as a recording would have marked them. `times`: when each came, milliseconds since
 * the Unix epoch, if the file tells; otherwise that is unknown (-1).
 */
export function eventMarks(
  response: ResponseMessage | null,
  body: Uint8Array | null,
  times: readonly number[] = [],
): MessageMark[] {
  if (response === null || body === null) return [];
  const isStream = mediaTypeOf(firstHeader(response.headers, 'content-type')) === 'text/event-stream';
  // In coded bytes, events have no places.
  if (!isStream || bodyCodings(response).length > 0) return [];
  const marks: MessageMark[] = [];
  new EventScanner(0).scan(body, (found) => {
    if (marks.length < MOST) marks.push({ ...found, ordinal: marks.length, side: 'response', at: -1 });
  });
  // A body that was left out in part has fewer events than times.
  if (times.length !== marks.length) return marks;
  return marks.map((mark, ordinal) => ({ ...mark, at: times[ordinal] ?? -1 }));
}
