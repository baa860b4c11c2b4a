import { createRequire } from 'node:module';

/** The used part of Node's own parser, which has no public types (lib/_http_common.js). */
interface Parser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenientFlags: number): void;
  execute(bytes: Buffer): number | (Error & { code: string; bytesParsed: number });
  finish(): undefined | (Error & { code: string });
  close(): void;
  [hook: number]: unknown;
}

interface ParserClass {
  new (): Parser;
  REQUEST: 1;
  RESPONSE: 2;
  kOnHeadersComplete: number;
  kOnBody: number;
  kOnMessageComplete: number;
}

const { HTTPParser } = createRequire(import.meta.url)('node:_http_common') as { HTTPParser: ParserClass };

/** One message as llhttp reads it. */
export interface LlhttpMessage {
  /** Of a response. */
  status: number;
  /** Of a request. */
  url: string;
  payload: string;
  complete: boolean;
}

export interface LlhttpReading {
  error: string | null;
  /** It treats what follows as another protocol. */
  upgrade: boolean;
  messages: LlhttpMessage[];
}

/** The messages in `bytes`, after which the connection ends. `bodiless`: of a response to HEAD. */
export function readWithLlhttp(bytes: Buffer, kind: 'request' | 'response', bodiless = false): LlhttpReading {
  const parser = new HTTPParser();
  const reading: LlhttpReading = { error: null, upgrade: false, messages: [] };
  parser.initialize(kind === 'request' ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, 65_536, 0);
  parser[HTTPParser.kOnHeadersComplete] = (...told: unknown[]): number => {
    const [, , , , url, status, , upgrade] = told;
    reading.messages.push({ status: Number(status ?? 0), url: String(url ?? ''), payload: '', complete: false });
    reading.upgrade ||= upgrade === true;
    return bodiless ? 1 : 0;
  };
  parser[HTTPParser.kOnBody] = (piece: Buffer): void => {
    const message = reading.messages.at(-1);
    if (message) message.payload += piece.toString('latin1');
  };
  parser[HTTPParser.kOnMessageComplete] = (): void => {
    const message = reading.messages.at(-1);
    if (message) message.complete = true;
  };
  const executed = parser.execute(bytes);
  const finished = typeof executed === 'number' ? parser.finish() : executed;
  // Without this, its memory is never freed.
  parser.close();
  reading.error = finished?.code ?? null;
  return reading;
}
