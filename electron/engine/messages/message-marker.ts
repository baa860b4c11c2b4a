import { EventScanner } from '../../../shared/format/event-scanner.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { MessageMark, MessageScanner } from '../../../shared/model/message-mark.ts';
import { epochOf } from '../exchange/wall-clock.ts';
import { WebSocketScanner } from './websocket-scanner.ts';

/** Marks the messages of one exchange as their bytes pass. */
export class MessageMarker {
  readonly #scanners: { request: MessageScanner | null; response: MessageScanner | null };
  readonly #found: (mark: MessageMark) => void;
  #ordinal = 0;

  constructor(
    scanners: { request: MessageScanner | null; response: MessageScanner | null },
    found: (mark: MessageMark) => void,
  ) {
    this.#scanners = scanners;
    this.#found = found;
  }

  bytes(side: BodySide, piece: Uint8Array): void {
    // The messages of one piece arrived together. Reading the clock for each of them was a quarter of the cost.
    const at = epochOf(performance.now());
    this.#scanners[side]?.scan(piece, (message) => {
      this.#found({ ...message, ordinal: this.#ordinal, side, at });
      this.#ordinal += 1;
    });
  }
}

const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

function isWebSocket(request: RequestMessage, response: ResponseMessage): boolean {
  // Over HTTP/2, a WebSocket is an extended CONNECT accepted with 2xx (RFC 8441, section 4).
  if (request.method === 'CONNECT' && firstHeader(request.headers, ':protocol') === 'websocket') {
    return response.status >= 200 && response.status < 300;
  }
  return response.status === 101 && firstHeader(response.headers, 'upgrade')?.toLowerCase() === 'websocket';
}

function isEventStream({ headers }: ResponseMessage): boolean {
  const type = firstHeader(headers, 'content-type');
  // In a stream with a content coding, events do not map to byte ranges.
  return type !== undefined && EVENT_STREAM.test(type) && firstHeader(headers, 'content-encoding') === undefined;
}

/** Creates the marker for an exchange whose response has started; null if it carries no messages. */
export function messageMarker(
  request: RequestMessage,
  response: ResponseMessage,
  found: (mark: MessageMark) => void,
): MessageMarker | null {
  const from = request.body.size;
  if (isWebSocket(request, response)) {
    return new MessageMarker({ request: new WebSocketScanner(from), response: new WebSocketScanner(0) }, found);
  }
  return isEventStream(response) ? new MessageMarker({ request: null, response: new EventScanner(0) }, found) : null;
}
