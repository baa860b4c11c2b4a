import { type BodyReader, bodyReader } from '../../../electron/engine/http/h1-body.ts';
import { FramingError } from '../../../electron/engine/http/h1-head.ts';
import { takeResponseHead } from '../../../electron/engine/http/h1-response.ts';
import { responseToHttp2 } from '../../../electron/engine/http/header-rules.ts';
import type { ResponseHead } from '../../../electron/engine/http/message.ts';
import { responseFault } from '../../../electron/engine/http2/field-rules.ts';
import { mayBeHttp } from '../../../electron/engine/upstream/malformed-response.ts';
import { allHeaders } from '../../../shared/model/headers.ts';
import { ODD_RESPONSES } from '../../integration/engine/odd-responses.ts';
import { RESPONSES } from '../../integration/engine/smuggling.ts';
import { cutUp, type Random } from '../random.ts';
import { type FuzzTarget, H1_SEPARATORS, kindOf, same, Violation, words } from '../target.ts';
import { readWithLlhttp } from './llhttp.ts';

const HEAD_LIMIT = 1024;

/** The outcome of a response, as a connection to upstream reads it. */
interface Reading {
  verdict: 'more' | 'until closed' | 'done' | 'refused';
  why: string;
  heads: ResponseHead[];
  wire: string;
  payload: string;
  trailers: readonly string[];
  fault: string;
}

class ResponseReader {
  readonly reading: Reading = {
    verdict: 'more',
    why: '',
    heads: [],
    wire: '',
    payload: '',
    trailers: [],
    fault: '',
  };
  readonly #method: string;
  readonly #memo = {};
  #rest = Buffer.alloc(0);
  #body: BodyReader | null = null;

  constructor(method: string) {
    this.#method = method;
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

  ended(): Reading {
    const { reading } = this;
    if (reading.verdict === 'more' && this.#body?.endsWithConnection) reading.verdict = 'until closed';
    return reading;
  }

  #step(): boolean {
    return this.#body ? this.#readBody(this.#body) : this.#readHead();
  }

  #readHead(): boolean {
    const head = takeResponseHead(this.#rest, { method: this.#method }, this.#memo, HEAD_LIMIT);
    if (!head) {
      if (!mayBeHttp(this.#rest)) throw new FramingError('no status line');
      return false;
    }
    this.#pass(head.size);
    this.reading.heads.push(head);
    this.reading.fault += head.fault ?? '';
    if (head.status < 200 && head.status !== 101) return true;
    this.#body = bodyReader(head.framing, 'response');
    if (!this.#body) this.reading.verdict = 'done';
    return true;
  }

  #readBody(body: BodyReader): boolean {
    try {
      this.#passBody(body, body.consume(this.#rest, 0));
    } catch (error) {
      if (error instanceof FramingError) this.#passBody(body, error.wellFramed);
      throw error;
    }
    if (!body.done) return false;
    this.reading.verdict = 'done';
    this.reading.trailers = body.trailers;
    this.reading.fault += body.fault ?? '';
    return false;
  }

  #passBody(body: BodyReader, size: number): void {
    this.reading.payload += Buffer.concat(body.payload).toString('latin1');
    this.#pass(size);
  }

  #pass(size: number): void {
    this.reading.wire += this.#rest.toString('latin1', 0, size);
    this.#rest = this.#rest.subarray(size);
  }
}

function read(pieces: readonly Buffer[], method: string): Reading {
  const reader = new ResponseReader(method);
  for (const piece of pieces) reader.read(piece);
  return reader.ended();
}

/** What must not depend on how the bytes were cut. Part of a refused line may already have been sent. */
function outcome({ verdict, payload, trailers, fault, heads, wire }: Reading): unknown {
  const passed = verdict === 'refused' ? '' : wire;
  return { verdict, payload, trailers, fault, heads: heads.map(({ wire: _, ...head }) => head), passed };
}

function sizeOf(heads: readonly ResponseHead[]): number {
  return heads.reduce((sum, { size }) => sum + size, 0);
}

/**
 * The bytes with spaces for the tabs around a transfer coding. RFC 9110 §5.6.3 takes both for white space; to llhttp,
 * `chunked` with a tab after it is a coding that it does not know, and it reads until the connection ends.
 */
function withoutTabs({ heads, wire }: Reading): Buffer {
  const size = sizeOf(heads);
  const head = wire.slice(0, size).replace(/^transfer-encoding:.*$/gim, (line) => line.replaceAll('\t', ' '));
  return Buffer.from(head + wire.slice(size), 'latin1');
}

/** llhttp may refuse what we accept, and vice versa. What both accept has one end and one payload. */
function agreesWithLlhttp(reading: Reading, method: string): void {
  const { heads, payload } = reading;
  const head = heads.at(-1);
  if (!head || head.status === 101) return;
  const { error, upgrade, messages } = readWithLlhttp(withoutTabs(reading), 'response', method === 'HEAD');
  if (error !== null || upgrade) return;
  const last = messages.at(-1);
  const ours = heads.map(({ status }) => status);
  same(
    'statuses, ours and of llhttp',
    ours,
    messages.map(({ status }) => status),
  );
  same(
    'payloads, ours and of llhttp',
    { payload, complete: true },
    { payload: last?.payload, complete: last?.complete },
  );
}

/** All payload read from a refused body has passed; a valid length is the only one. */
function passesWhatItRead({ heads, wire, payload }: Reading): void {
  if (wire.length < sizeOf(heads) + payload.length) throw new Violation('payload was read and did not pass');
  const head = heads.at(-1);
  if (head?.framing.kind !== 'length') return;
  const lengths = allHeaders(head.headers, 'content-length').flatMap((value) => value.split(','));
  if (new Set(lengths.map((each) => each.trim())).size !== 1) throw new Violation(`one of the lengths ${lengths}`);
}

/** An HTTP/2 client must be able to read the converted form. */
function fitsHttp2(heads: readonly ResponseHead[]): void {
  for (const head of heads) {
    if (head.status === 101) continue;
    const fault = responseFault(responseToHttp2(head));
    if (fault) throw new Violation(`an HTTP/2 client would refuse it: ${fault}`);
  }
}

export const h1Response: FuzzTarget = {
  name: 'h1-response',
  words: words(
    ...[
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.0 200 OK\r\n',
      'HTTP/1.1 103 E\r\n\r\n',
      'HTTP/1.1 304 N\r\n',
      'HTTP/1.1 204\r\n',
    ],
    ...[
      'Content-Length: 5\r\n',
      'content-length:5, 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Transfer-Encoding: identity\r\n',
    ],
    ...[
      'Transfer-Encoding: gzip, chunked\r\n',
      'Connection: close\r\n',
      'Connection: keep-alive\r\n',
      'chunked',
      'gzip;q=1,',
    ],
    ...H1_SEPARATORS,
    ...['\n\n', '\n\t', 'X\r\n'],
    ...['5\r\nabcde\r\n', '0\r\n\r\n', '0\r\n', '0\r\nX: y\r\n\r\n', ';a=b', 'abcde', '\xe9', '\x0b', 'Trailer: X\r\n'],
  ),
  seeds: words(...ODD_RESPONSES.map(({ bytes }) => bytes), ...RESPONSES.map(({ head, body }) => head + body)),
  run(bytes: Buffer, random: Random): string {
    const method = random.below(8) === 0 ? 'HEAD' : 'GET';
    const whole = read([bytes], method);
    const inPieces = read(cutUp(bytes, random), method);
    same('whole and in pieces', outcome(whole), outcome(inPieces));
    for (const { wire } of [whole, inPieces]) {
      if (!bytes.toString('latin1').startsWith(wire)) throw new Violation('other bytes passed than came');
    }
    passesWhatItRead(whole);
    passesWhatItRead(inPieces);
    fitsHttp2(whole.heads);
    const complete = whole.verdict === 'done' || whole.verdict === 'until closed';
    if (complete && whole.fault === '') agreesWithLlhttp(whole, method);
    if (whole.fault !== '' && whole.verdict === 'done' && whole.heads.at(-1)?.fault && whole.heads.at(-1)?.keepAlive)
      throw new Violation('a faulty response on a connection that goes on');
    const framing = whole.heads.at(-1)?.framing.kind ?? '';
    return (
      `${whole.verdict} ${kindOf(whole.why)} ${framing} ${whole.fault} ${whole.trailers.length > 0} ` +
      `${Math.min(whole.heads.length, 3)}`
    );
  },
};
