import { type BodyReader, bodyReader } from '../../../electron/engine/http/h1-body.ts';
import { FramingError, findHeadEnd, parseRequestLine, skipEmptyLines } from '../../../electron/engine/http/h1-head.ts';
import { type RequestContext, readConnectHead, readRequestHead } from '../../../electron/engine/http/h1-request.ts';
import { requestToHttp2 } from '../../../electron/engine/http/header-rules.ts';
import type { RequestHead } from '../../../electron/engine/http/message.ts';
import { requestFault } from '../../../electron/engine/http2/field-rules.ts';
import { BODIES, type Gadget, HEADS, TO_THE_PROXY } from '../../integration/engine/smuggling.ts';
import { cutUp, type Random } from '../random.ts';
import { type FuzzTarget, H1_SEPARATORS, kindOf, same, Violation, words } from '../target.ts';
import { readWithLlhttp } from './llhttp.ts';

const HEAD_LIMIT = 1024;
const TARGET = { host: 'a.test', port: 80 };

interface Read {
  head: RequestHead;
  payload: string;
  /** What an HTTP/1.1 upstream gets. */
  wire: string;
  complete: boolean;
}

/** The outcome of a client's connection. */
interface Reading {
  verdict: 'more' | 'connect' | 'refused';
  why: string;
  requests: Read[];
}

class RequestReader {
  readonly reading: Reading = { verdict: 'more', why: '', requests: [] };
  readonly #context: RequestContext;
  #rest = Buffer.alloc(0);
  #body: BodyReader | null = null;

  constructor(proxy: boolean) {
    this.#context = { scheme: 'http', target: proxy ? null : TARGET };
  }

  read(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece]);
    try {
      while (this.reading.verdict === 'more' && this.#rest.length > 0 && this.#step());
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.reading.verdict = 'refused';
      this.reading.why = error.message;
    }
  }

  #step(): boolean {
    const request = this.reading.requests.at(-1);
    return this.#body && request ? this.#readBody(this.#body, request) : this.#readHead();
  }

  #readHead(): boolean {
    this.#rest = this.#rest.subarray(skipEmptyLines(this.#rest, 0));
    if (this.#rest.length === 0) return false;
    const end = findHeadEnd(this.#rest, 0, HEAD_LIMIT);
    if (end < 0) return false;
    const bytes = this.#rest.subarray(0, end);
    const text = bytes.toString('latin1');
    const line = parseRequestLine(text);
    if (line.method === 'CONNECT' && !this.#context.target) {
      readConnectHead(text, line);
      this.reading.verdict = 'connect';
      return false;
    }
    const head = readRequestHead(bytes, text, line, this.#context);
    this.#rest = this.#rest.subarray(end);
    this.#body = bodyReader(head.framing, 'request');
    const wire = head.wire?.toString('latin1') ?? '';
    this.reading.requests.push({ head, payload: '', wire, complete: this.#body === null });
    return true;
  }

  #readBody(body: BodyReader, request: Read): boolean {
    const end = body.consume(this.#rest, 0);
    request.payload += Buffer.concat(body.payload).toString('latin1');
    request.wire += this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end);
    if (!body.done) return false;
    request.complete = true;
    this.#body = null;
    return true;
  }
}

function read(pieces: readonly Buffer[], proxy: boolean): Reading {
  const reader = new RequestReader(proxy);
  for (const piece of pieces) reader.read(piece);
  return reader.reading;
}

/** What must not depend on how the bytes were cut. The beginning of a refused body may already have been sent. */
function outcome({ verdict, requests }: Reading): unknown {
  const whole = verdict === 'refused' ? requests.filter(({ complete }) => complete) : requests;
  return {
    verdict,
    requests: whole.map(({ head: { wire: _, ...head }, ...request }) => ({ ...request, head })),
    heads: requests.map(({ head }) => head.path),
  };
}

/** llhttp may refuse what we accept. If it accepts what we forward, it finds the same requests in it. */
function agreesWithLlhttp(requests: readonly Read[]): void {
  const sent = requests.filter(({ complete }) => complete);
  for (const { wire, payload, head } of sent) {
    const { error, upgrade, messages } = readWithLlhttp(Buffer.from(wire, 'latin1'), 'request');
    if (error !== null || upgrade) continue;
    const ours = [{ status: 0, url: wire.split(' ', 2)[1], payload, complete: true }];
    same(`a ${head.method}, ours and of llhttp`, ours, messages);
  }
}

/** A forwarded request means the same to the origin as it did to the proxy. */
function meansTheSame({ head, payload, wire }: Read): void {
  const again = read([Buffer.from(wire, 'latin1')], false);
  const [there] = again.requests;
  if (again.verdict === 'refused' || again.requests.length !== 1 || !there?.complete)
    throw new Violation(`the origin would not take what was made of it: ${again.why}`);
  same('payload, at the proxy and at the origin', payload, there.payload);
  same('framing, at the proxy and at the origin', head.framing, there.head.framing);
  same(
    'method and path, at the proxy and at the origin',
    [head.method, head.path],
    [there.head.method, there.head.path],
  );
}

function fitsHttp2({ head }: Read): void {
  // A target in absolute form, or an authority that Host leaves empty, has no place there: HTTP/2 upstreams refuse it.
  if (!/^[/*]/.test(head.path) || head.method === 'CONNECT') return;
  const fault = requestFault(requestToHttp2(head), false);
  if (fault && !/^the :path/.test(fault)) throw new Violation(`an HTTP/2 origin would refuse it: ${fault}`);
}

const seed =
  (target: string) =>
  ({ head, body }: Gadget): string =>
    (head + body).replaceAll('TARGET', target).replaceAll('AUTHORITY', 'a.test');

export const h1Request: FuzzTarget = {
  name: 'h1-request',
  words: words(
    ...[
      'GET / HTTP/1.1\r\n',
      'POST http://a.test/ HTTP/1.1\r\n',
      'GET / HTTP/1.0\r\n',
      'CONNECT a.test:1 HTTP/1.1\r\n',
    ],
    ...['Host: a.test\r\n', 'Content-Length: 5\r\n', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n'],
    ...['Transfer-Encoding: gzip;q=1, chunked\r\n', 'Connection: close\r\n', 'Connection: Upgrade\r\nUpgrade: x\r\n'],
    ...['TE: trailers\r\n', 'Proxy-Connection: x\r\n', 'OPTIONS', 'http://', '//', '*', '?', '#', '@', '[::1]', ':80'],
    ...H1_SEPARATORS,
    'Expect: 100-continue\r\n',
    ...['5\r\nabcde\r\n', '0\r\n\r\n', '0\r\nX: y\r\n\r\n', ';a=b', 'abcde', '\xe9', '\x0b', 'chunked', 'identity'],
  ),
  seeds: words(...[...HEADS, ...BODIES].map(seed('/')), ...TO_THE_PROXY.map(seed('http://a.test/'))),
  run(bytes: Buffer, random: Random): string {
    const proxy = random.below(2) === 0;
    const whole = read([bytes], proxy);
    same('whole and in pieces', outcome(whole), outcome(read(cutUp(bytes, random), proxy)));
    const complete = whole.requests.filter((request) => request.complete);
    agreesWithLlhttp(complete);
    for (const request of complete) {
      fitsHttp2(request);
      if (proxy) meansTheSame(request);
      else if (!bytes.toString('latin1').includes(request.wire)) throw new Violation('other bytes passed than came');
    }
    const kinds = whole.requests.map(({ head }) => `${head.framing.kind} ${head.keepAlive} ${head.upgrade}`);
    return `${proxy} ${whole.verdict} ${kindOf(whole.why)} ${kinds.slice(0, 3).join()}`;
  },
};
