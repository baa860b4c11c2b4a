import type { BodySide } from '../../../shared/model/body-side.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { MessageMark, MessageScanner } from '../../../shared/model/message-mark.ts';
import { epochOf } from '../exchange/wall-clock.ts';
import { EventScanner } from './event-scanner.ts';
import { WebSocketScanner } from './websocket-scanner.ts';

/** Marks the messages of one exchange as they pass. */
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
    this.#scanners[side]?.scan(piece, (message) => {
      this.#found({ ...message, ordinal: this.#ordinal, side, at: epochOf(performance.now()) });
      this.#ordinal += 1;
    });
  }
}

const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

function isWebSocket(request: RequestMessage, response: ResponseMessage): boolean {
  // RFC 8441, section 4: over HTTP/2 it is an extended CONNECT, and 2xx takes it.
  if (request.method === 'CONNECT' && firstHeader(request.headers, ':protocol') === 'websocket') {
    return response.status >= 200 && response.status < 300;
  }
  return response.status === 101 && firstHeader(response.headers, 'upgrade')?.toLowerCase() === 'websocket';
}

function isEventStream({ headers }: ResponseMessage): boolean {
  const type = firstHeader(headers, 'content-type');
  // In a coded stream no event has bytes of its own.
  return type !== undefined && EVENT_STREAM.test(type) && firstHeader(headers, 'content-encoding') === undefined;
}

/** What marks the messages of an exchange whose response has begun; null where it has none. */
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
