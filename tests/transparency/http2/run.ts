import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import tls from 'node:tls';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { listen } from '../../support/listen.ts';
import type { Body, Http2Case } from './case.ts';

/** What one end of a stream got. */
export interface Http2Got {
  informational: string[][];
  headers: string[];
  sensitive: string[];
  /** END_STREAM on the head. */
  endStream: boolean;
  length: number;
  sha256: string;
  trailers: string[];
  /** It ended properly. */
  ended: boolean;
  reset: number;
}

export interface Http2Run {
  client: Http2Got;
  origin: Http2Got[];
}

const OPTIONS = {
  strictSingleValueFields: false,
  maxSendHeaderBlockLength: 262_144,
  settings: { maxHeaderListSize: 262_144 },
};

/** Fills `into` from a stream's events. Resolves when the stream is closed. */
function collect(stream: http2.Http2Stream, into: Http2Got): Promise<void> {
  const hash = createHash('sha256');
  let ended = false;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    into.length += chunk.length;
    hash.update(chunk);
  });
  stream.on('end', () => {
    ended = true;
  });
  stream.on('trailers', (headers: http2.IncomingHttpHeaders, _flags: number, raw?: string[]) => {
    into.trailers = raw ?? Object.entries(headers).flat().map(String);
  });
  return new Promise((resolve) => {
    stream.on('close', () => {
      into.reset = stream.rstCode ?? 0;
      // Node may or may not report an end before a reset, depending on their packets.
      into.ended = ended && into.reset === 0;
      into.sha256 = hash.digest('hex');
      resolve();
    });
  });
}

function nothing(): Http2Got {
  const none = { informational: [], headers: [], sensitive: [], endStream: false, length: 0 };
  return { ...none, sha256: '', trailers: [], ended: false, reset: 0 };
}

function take(into: Http2Got, headers: http2.IncomingHttpHeaders, flags: number, raw: string[]): void {
  into.headers = raw;
  into.sensitive = [...((headers as Record<symbol, string[] | undefined>)[http2.sensitiveHeaders] ?? [])];
  into.endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
}

async function write(stream: http2.Http2Stream, body: Body): Promise<void> {
  for (const piece of body) {
    if (stream.destroyed || stream.closed) return;
    const bytes = typeof piece === 'number' ? Buffer.alloc(piece, 'pattern') : Buffer.from(piece, 'latin1');
    if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
}

/** The origin of all cases: does what the current case says. */
export class Http2CaseOrigin {
  readonly #server: http2.Http2SecureServer;
  readonly #sessions = new Set<http2.ServerHttp2Session>();
  wire: Http2Case | null = null;
  got: Http2Got[] = [];
  closed: Promise<void>[] = [];
  /** Tells the client's side that the head is in. */
  #headIn = (): void => {};
  headIn: Promise<void> = Promise.resolve();

  constructor(ca: { certificatePem: string; keyPem: string }) {
    const leaves = new LeafCertificates({ ...ca, folder: null });
    this.#server = http2.createSecureServer({
      ...OPTIONS,
      SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    });
    this.#server.on('session', (session) => this.#sessions.add(session));
    this.#server.on(
      'stream',
      (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, flags: number, raw: string[]) =>
        void this.#serve(stream, headers, flags, raw),
    );
  }

  listen(): Promise<number> {
    return listen(this.#server);
  }

  begin(wire: Http2Case): void {
    this.wire = wire;
    this.got = [];
    this.closed = [];
    this.headIn = new Promise((resolve) => {
      this.#headIn = resolve;
    });
  }

  async #serve(
    stream: http2.ServerHttp2Stream,
    headers: http2.IncomingHttpHeaders,
    flags: number,
    raw: string[],
  ): Promise<void> {
    const { wire } = this;
    if (!wire) return;
    const got = nothing();
    take(got, headers, flags, raw);
    this.got.push(got);
    this.closed.push(collect(stream, got));
    this.#headIn();
    const { response } = wire;
    if (!response.early && !got.endStream) await once(stream, 'end');
    if (response.reset?.when === 'at once') return void stream.close(response.reset.code);
    if (wire.reset?.when === 'at once') return;
    for (const each of response.informational ?? []) stream.additionalHeaders(each);
    const trailers = response.trailers;
    const endStream = response.body === undefined;
    stream.respond(response.headers as unknown as http2.OutgoingHttpHeaders, {
      endStream,
      waitForTrailers: trailers !== undefined,
    });
    if (endStream) return;
    if (trailers) stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    await write(stream, response.body ?? []);
    if (response.reset) {
      // What was written is sent before the reset.
      await turn();
      await turn();
      return void stream.close(response.reset.code);
    }
    if (!response.stays) stream.end();
  }

  close(): void {
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
  }
}

/** An HTTP/2 session to `localhost:port`, direct or inside a tunnel of the proxy at `through`. */
export async function connectHttp2(
  port: number,
  ca: string,
  through: number | null,
): Promise<http2.ClientHttp2Session> {
  const socket = net.connect({ port: through ?? port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  if (through !== null) {
    socket.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
  }
  const secure = tls.connect({ socket, servername: 'localhost', ca, ALPNProtocols: ['h2'] });
  await once(secure, 'secureConnect');
  const session = http2.connect(`https://localhost:${port}`, { ...OPTIONS, createConnection: () => secure });
  session.on('error', () => {});
  return session;
}

/** One case over one session. Waits until both ends are done with their streams. */
export async function runHttp2(
  wire: Http2Case,
  origin: Http2CaseOrigin,
  session: http2.ClientHttp2Session,
  authority: string,
): Promise<Http2Run> {
  origin.begin(wire);
  const got = nothing();
  const fields = wire.request.map((each) => each.replace('{authority}', authority));
  const marked = Object.assign(fields, wire.sensitive ? { [http2.sensitiveHeaders]: wire.sensitive } : {});
  const stream = session.request(marked as unknown as http2.OutgoingHttpHeaders, {
    endStream: wire.body === undefined,
    waitForTrailers: wire.trailers !== undefined,
  });
  const closed = collect(stream, got);
  stream.on('headers', (_headers: http2.IncomingHttpHeaders, _flags: number, raw?: string[]) =>
    got.informational.push(raw ?? []),
  );
  stream.on('response', (headers: http2.IncomingHttpHeaders, flags: number, raw?: string[]) => {
    take(got, headers, flags, raw ?? []);
    if (wire.reset?.when === 'behind the head') stream.close(wire.reset.code);
  });
  if (wire.reset?.when === 'behind the body') stream.once('data', () => stream.close(wire.reset?.code));
  if (wire.reset?.when === 'at once') void origin.headIn.then(() => stream.close(wire.reset?.code));
  if (wire.trailers) stream.on('wantTrailers', () => stream.sendTrailers(wire.trailers ?? {}));
  if (wire.body !== undefined) {
    await write(stream, wire.body);
    if (!wire.reset) stream.end();
  }
  await closed;
  await Promise.all(origin.closed);
  // What each side reports once: the time of the response is not part of its content.
  got.headers = got.headers.filter((_, index, all) => all[index - (index % 2)] !== 'date');
  return { client: got, origin: origin.got };
}
