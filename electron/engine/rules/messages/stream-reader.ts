import { firstHeader, type RawHeaders } from '../../../../shared/model/headers.ts';
import { streamCodingOf } from '../codings.ts';
import { EventReader } from './event-reader.ts';
import { GrpcReader } from './grpc-reader.ts';
import type { StreamReader } from './stream-part.ts';
import { WebSocketReader } from './websocket-reader.ts';

/** Whether the request asks for a WebSocket: by Upgrade, or by an extended CONNECT (RFC 8441, section 4). */
export function asksForWebSocket(method: string, headers: RawHeaders): boolean {
  if (method === 'CONNECT') return firstHeader(headers, ':protocol') === 'websocket';
  return /^websocket$/i.test(firstHeader(headers, 'upgrade') ?? '');
}

/** A reader for the messages of a body with these fields; or why there is none, as part of a sentence. */
export function bodyReader(headers: RawHeaders): StreamReader | string {
  const type = firstHeader(headers, 'content-type') ?? '';
  if (/^application\/grpc/i.test(type)) return new GrpcReader(firstHeader(headers, 'grpc-encoding'));
  if (!/^text\/event-stream/i.test(type)) return 'the body is unchanged: it is a stream';
  const coding = streamCodingOf(headers);
  return coding === 'unknown' ? 'the events are unchanged: their content coding is unknown' : new EventReader(coding);
}

export function webSocketReader(): StreamReader {
  return new WebSocketReader();
}
