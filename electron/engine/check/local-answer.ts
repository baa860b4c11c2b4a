import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ClientStream } from '../http/client-stream.ts';

/** An answer of the engine's own, to a request that goes nowhere. */
export interface LocalAnswer {
  status: number;
  statusText: string;
  /** Names in lower case, for both protocols. */
  headers: RawHeaders;
  body: Buffer;
}

/** Answers a stream at once; whatever body the request has is read and dropped. Nothing of it is recorded. */
export function answerLocally(stream: ClientStream, { status, statusText, headers, body }: LocalAnswer): void {
  const ignore = (): void => undefined;
  stream.receive({
    requestPiece: () => true,
    requestEnd: ignore,
    requestFlush: ignore,
    clientAborted: ignore,
    clientHalfClosed: ignore,
    clientDrained: ignore,
  });
  stream.respond({
    status,
    statusText,
    version: 'HTTP/1.1',
    headers: [...headers, 'content-length', String(body.length), 'cache-control', 'no-store'],
    framing: { kind: 'length', length: body.length },
    wire: null,
    size: 0,
    keepAlive: true,
  });
  if (stream.head.method !== 'HEAD') stream.piece(null, [body]);
  stream.end([]);
  stream.flush();
}
