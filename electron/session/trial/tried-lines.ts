import type { BodySide } from '../../../shared/model/body-side.ts';
import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { TrialDiff } from '../../../shared/model/rule/trial.ts';
import type { Framing, HttpVersion, RequestHead, ResponseHead } from '../../engine/http/message.ts';

/** Empty if both are the same. */
export function diffOf(side: BodySide, before: string[], after: string[]): TrialDiff[] {
  return before.join('\n') === after.join('\n') ? [] : [{ side, before, after }];
}

function fieldLines(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${name}: ${value}`);
}

/** The fields after a body. */
export function trailerLines(trailers: RawHeaders): string[] {
  return fieldLines(trailers).map((line) => `${line} (trailer)`);
}

export function requestLines({ method, scheme, authority, path, headers }: RequestHead): string[] {
  return [`${method} ${scheme}://${authority}${path}`, ...fieldLines(headers)];
}

export function responseLines({ status, headers }: Pick<ResponseHead, 'status' | 'headers'>): string[] {
  return [String(status), ...fieldLines(headers)];
}

/** Recorded sessions may hold versions that the engine does not speak. */
function versionOf(httpVersion: string): HttpVersion {
  return httpVersion === 'HTTP/2.0' || httpVersion === 'HTTP/1.0' ? httpVersion : 'HTTP/1.1';
}

function common({ body, headers, headSize, httpVersion }: RequestMessage | ResponseMessage) {
  const framing: Framing = body.size > 0 ? { kind: 'length', length: body.size } : { kind: 'none' };
  return { headers, framing, version: versionOf(httpVersion), size: headSize, wire: null, keepAlive: true };
}

/** A recorded request as rules get it. */
export function requestHead(message: RequestMessage): RequestHead {
  const { method, scheme, authority, host, port, path } = message;
  return { ...common(message), method, scheme, authority, host, port, path, upgrade: false };
}

/** The same for a response. */
export function responseHead(message: ResponseMessage): ResponseHead {
  return { ...common(message), status: message.status, statusText: message.statusText };
}
