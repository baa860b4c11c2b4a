import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ClientStream } from '../http/client-stream.ts';

/** A response from the engine itself to a request that is not forwarded. */
export interface EngineResponse {
  status: number;
  statusText: string;
  /** Names in lower case, valid for both protocols. */
  headers: RawHeaders;
  body: Buffer;
}

/** Responds immediately; reads and drops the request body. Nothing is recorded. */
export function sendResponse(stream: ClientStream, { status, statusText, headers, body }: EngineResponse): void {
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
