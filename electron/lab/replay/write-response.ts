import { once } from 'node:events';
import { type IncomingMessage, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type ReplayRequest = IncomingMessage | Http2ServerRequest;
export type ReplayResponse = ServerResponse | Http2ServerResponse;

export interface ResponseParts {
  status: number;
  statusText: string;
  fields: readonly [name: string, value: string][];
  /** Bytes of the body. */
  size: number;
  body: Iterable<Uint8Array>;
  /** Over HTTP/1.1, head and body leave in separate writes. */
  split: boolean;
}

/** Statuses without a body (RFC 9110, section 6.4.1). */
function hasBody(status: number, method: string | undefined): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function setFields(response: ReplayResponse, fields: ResponseParts['fields']): void {
  for (const [name, value] of fields) {
    if (!isSendable(name, value)) continue;
    const before = response.getHeader(name);
    const values = before === undefined ? value : [before, value].flat().map(String);
    response.setHeader(name, values);
  }
}

async function writeBody(response: ReplayResponse, body: Iterable<Uint8Array>): Promise<void> {
  // Compatible, but TypeScript sees two overload lists.
  const write = (piece: Uint8Array): boolean => (response as ServerResponse).write(piece);
  let previous: Uint8Array | null = null;
  for (const piece of body) {
    if (previous !== null && !write(previous)) await once(response, 'drain');
    previous = piece;
  }
  if (previous === null) response.end();
  else response.end(previous);
}

/** Rejects if the browser closes the connection before it has the response. */
export async function writeResponse(
  method: string | undefined,
  response: ReplayResponse,
  parts: ResponseParts,
): Promise<void> {
  const { status, statusText, fields, size, body, split } = parts;
  response.statusCode = status;
  if (response instanceof ServerResponse && statusText !== '') response.statusMessage = statusText;
  setFields(response, fields);
  if (!hasBody(status, method)) {
    response.end();
    return;
  }
  response.setHeader('content-length', size);
  if (split && response instanceof ServerResponse) {
    response.flushHeaders();
    await nextTurn();
  }
  await writeBody(response, body);
}
