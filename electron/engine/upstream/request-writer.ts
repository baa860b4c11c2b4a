import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { GatheredWriter } from '../http/gathered-writer.ts';
import { writePayload } from '../http/h1-payload.ts';
import { formatAuthority } from '../http/h1-request.ts';
import { lastChunk, proxiedHeadToOrigin, requestToHttp1 } from '../http/header-rules.ts';
import type { Framing, RequestHead } from '../http/message.ts';
import type { ConnectionAuth } from './proxy/connection-auth.ts';

/** How a request's body is written: `wire` as received, `chunked` by Roundtrip, or `plain` with a Content-Length. */
type BodyMode = 'none' | 'wire' | 'chunked' | 'plain';

function bodyMode({ framing, wire, headers }: RequestHead): BodyMode {
  if (framing.kind === 'none') return 'none';
  if (wire) return 'wire';
  const named = headers.some((name, index) => index % 2 === 0 && name === 'content-length');
  return named ? 'plain' : 'chunked';
}

/** Whether a body is kept for another attempt: it declares its length, and has at most `most` bytes. */
export function isResendable(framing: Framing, most: number): boolean {
  return framing.kind === 'length' && framing.length <= most;
}

/** Writes a connection's requests: those of an h1 client byte for byte, those of an h2 client in h1 framing. */
export class RequestWriter {
  readonly #writer: GatheredWriter;
  readonly #auth: ConnectionAuth | null;
  #mode: BodyMode = 'none';

  /**
   * `auth`: authentication to a proxy that accepts plain requests; null if requests go to the origin, through a tunnel
   * or not.
   */
  constructor(writer: GatheredWriter, auth: ConnectionAuth | null) {
    this.#writer = writer;
    this.#auth = auth;
  }

  /** Returns whether a body follows. */
  head(head: RequestHead): boolean {
    this.#mode = bodyMode(head);
    const bytes = head.wire ?? requestToHttp1(head, this.#mode === 'chunked');
    this.#writer.write(this.#auth ? this.#forProxy(this.#auth, head, bytes) : bytes);
    return this.#mode !== 'none';
  }

  /** A plain request through a proxy names where it goes (RFC 9112, section 3.2.2); rules can send another Host. */
  #forProxy(auth: ConnectionAuth, { host, port, path, method }: RequestHead, bytes: Buffer): Buffer {
    const target = `http://${formatAuthority('http', host, port)}${path === '*' ? '' : path}`;
    const authorization = auth.header(method, target);
    const extra = authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`;
    return proxiedHeadToOrigin(bytes.toString('latin1'), target, { host: null, extra });
  }

  /** Returns false like a stream's write. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#mode === 'wire' && wire) return this.#writer.write(wire);
    return writePayload(this.#writer, payload, this.#mode === 'chunked');
  }

  end(trailers: RawHeaders): void {
    if (this.#mode === 'chunked') this.#writer.write(lastChunk(trailers));
    this.#writer.flush();
  }
}
