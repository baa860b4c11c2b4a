import type { ReplayRequest } from '../../../shared/model/replay/replay-request.ts';
import { roundtripError } from '../../failures/errors.ts';
import { FramingError, parseRequestLine } from '../http/h1-head.ts';
import {
  formatAuthority,
  parseAuthority,
  type RequestContext,
  readRequestHead,
  sameTarget,
} from '../http/h1-request.ts';
import { headSize } from '../http/h2-headers.ts';
import { fieldLines, proxiedHeadToOrigin } from '../http/header-rules.ts';
import { NO_BODY_FRAMING, type RequestHead, STREAM_FRAMING } from '../http/message.ts';
import { requestFault } from '../http2/field-rules.ts';

function refused(detail: string): Error {
  return roundtripError('replay.bad-request', { detail });
}

/** Latin-1 holds the bytes above 0x7f as they were on the wire; wider characters were never sent. */
function checkBytes(text: string): void {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) <= 0xff) continue;
    throw refused(`its head contains ${JSON.stringify(text[at])}, which must be encoded`);
  }
}

function headText({ method, path, version, headers }: ReplayRequest): string {
  // Each would otherwise start another field, or another request.
  if (headers.some((text) => /[\r\n]/.test(text))) throw refused('a header field contains a line break');
  return `${method} ${path} ${version}\r\n${fieldLines(headers)}\r\n`;
}

/** The Host that went upstream if it was not the client's (`correctedHost` in h1-request.ts), or null. */
function correctedHost({ scheme, authority }: ReplayRequest, host: string | undefined): string | null {
  const defaultPort = scheme === 'https' ? 443 : 80;
  const named = host === undefined ? null : parseAuthority(host, defaultPort);
  const sent = parseAuthority(authority, defaultPort);
  if (sent === null || sameTarget(named, sent)) return null;
  return formatAuthority(scheme, sent.host, sent.port);
}

/**
 * A plain request with an absolute target was recorded with the client's fields. Upstream got them without those for
 * proxies, and with the target's Host.
 */
function asSentUpstream(request: ReplayRequest, text: string): string {
  if (request.scheme === 'https') return text;
  const host = /\r\nHost:[ \t]*([^\r\n]*?)[ \t]*\r\n/i.exec(text)?.[1];
  const corrected = correctedHost(request, host);
  if (corrected === null && !/\r\nproxy-(?:connection|authorization):/i.test(text)) return text;
  return proxiedHeadToOrigin(text, request.path, { host: corrected, extra: '' }).toString('latin1');
}

function http1Head(request: ReplayRequest, bodySize: number): RequestHead {
  const written = headText(request);
  checkBytes(written);
  const text = asSentUpstream(request, written);
  const context: RequestContext = { scheme: request.scheme, target: { host: request.host, port: request.port } };
  const bytes = Buffer.from(text, 'latin1');
  const head = readRequestHead(bytes, text, parseRequestLine(text), context);
  const { framing } = head;
  if (framing.kind === 'chunked') return head;
  const declared = framing.kind === 'length' ? framing.length : 0;
  if (declared !== bodySize)
    throw refused(
      `its head declares a body of ${declared} bytes, and the body has ${bodySize}: correct Content-Length`,
    );
  return head;
}

function http2Head(request: ReplayRequest, bodySize: number): RequestHead {
  const { headers, method, scheme, authority, host, port, path } = request;
  for (const text of headers) checkBytes(text);
  const fault = requestFault(headers, false);
  if (fault !== null) throw refused(`it has ${fault}`);
  return {
    ...{ method, scheme, authority, host, port, path, headers },
    version: 'HTTP/2.0',
    framing: bodySize === 0 && request.trailers.length === 0 ? NO_BODY_FRAMING : STREAM_FRAMING,
    wire: null,
    size: headSize(headers),
    upgrade: false,
    keepAlive: true,
  };
}

/**
 * The head of a request that Roundtrip itself sends, with the bytes that go upstream. It passes the checks for
 * clients' requests. Throws `replay.bad-request`.
 */
export function replayHead(request: ReplayRequest, bodySize: number): RequestHead {
  try {
    const head = request.version === 'HTTP/2.0' ? http2Head(request, bodySize) : http1Head(request, bodySize);
    if (head.upgrade || head.method === 'CONNECT') throw refused('it asks for another protocol than HTTP');
    return head;
  } catch (error) {
    throw error instanceof FramingError ? refused(`it has ${error.message}`) : error;
  }
}
