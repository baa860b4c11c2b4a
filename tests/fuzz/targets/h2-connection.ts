import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Http2Connection } from '../../../electron/engine/http2/connection.ts';
import type { Http2Options } from '../../../electron/engine/http2/connection-options.ts';
import { ConnectionFault } from '../../../electron/engine/http2/error-codes.ts';
import type { Http2Stream } from '../../../electron/engine/http2/stream.ts';
import type { StreamClose, StreamHandlers } from '../../../electron/engine/http2/stream-events.ts';
import { PREFACE } from '../../support/http2-frames.ts';
import { cutUp, type Random } from '../random.ts';
import { type FuzzTarget, kindOf, same, Violation } from '../target.ts';
import { h2Frames } from './h2-frames.ts';

const OPTIONS: Omit<Http2Options, 'server'> = {
  streamWindow: 65_535,
  connectionWindow: 131_072,
  streams: 10,
  headBytes: 4096,
  headFields: 20,
  floods: { http2Pings: 20, http2Resets: 20, http2ControlBytes: 100_000 },
  idleTime: 60_000,
  streamSilence: 60_000,
};
const POST = [':method', 'POST', ':scheme', 'https', ':authority', 'a.test', ':path', '/'];
const MOST_TURNS = 2000;

/** The events of a stream, its pieces joined. */
class Log implements StreamHandlers {
  heads = 0;
  payload = '';
  ended = false;
  closed = '';

  onHead(fields: readonly string[]): void {
    this.#open('a head');
    this.heads += fields.length;
  }

  onData(bytes: Buffer): boolean {
    this.#open('data');
    if (this.ended) throw new Violation('data behind the end');
    this.payload += bytes.toString('latin1');
    return true;
  }

  onEnd(): void {
    this.#open('an end');
    if (this.ended) throw new Violation('a second end');
    this.ended = true;
  }

  onClosed({ by, code }: StreamClose): void {
    this.#open('a second close');
    this.closed = `${by} ${code}`;
  }

  onReadOver(): void {}
  onDrained(): void {}
  onSilence(): void {}

  #open(what: string): void {
    if (this.closed !== '') throw new Violation(`${what} behind the close`);
  }
}

interface Told {
  logs: { heads: number; payload: string; ended: boolean; closed: string }[];
  error: string;
}

/** One connection of ours that reads the pieces and then the end. */
async function play(server: boolean, pieces: readonly Buffer[]): Promise<Told> {
  const [near, far] = duplexPair();
  const logs: Log[] = [];
  let ends = 0;
  let error: Error | null = null;
  const listen = (): Log => {
    const log = new Log();
    logs.push(log);
    return log;
  };
  const connection = new Http2Connection(
    near,
    { ...OPTIONS, server },
    {
      request: (stream: Http2Stream) => {
        stream.listen(listen());
        stream.head([':status', '200'], false);
      },
      refused: () => {},
      settings: () => {},
      goaway: () => {},
      streamOver: () => {},
      closed: (why) => {
        ends += 1;
        error = why;
      },
    },
  );
  far.on('error', () => {});
  far.resume();
  connection.start();
  if (!server) for (let count = 0; count < 3; count += 1) connection.request(POST, true, listen(), null);
  for (const piece of pieces) far.write(piece);
  far.end();
  for (let turns = 0; ends === 0; turns += 1) {
    if (turns > MOST_TURNS) throw new Violation('the connection did not end with its bytes');
    await turn();
  }
  await turn();
  if (ends > 1) throw new Violation('the connection ended twice');
  if (connection.streams !== 0) throw new Violation(`${connection.streams} streams are left`);
  near.destroy();
  far.destroy();
  const why = error as Error | null;
  if (why && !(why instanceof ConnectionFault)) throw why;
  return { logs: logs.map((log) => ({ ...log })), error: why ? why.message : '' };
}

/**
 * What must not depend on how the bytes were cut. Part of a DATA frame over its stream's length may have been reported.
 */
function outcome({ logs, error }: Told): Told {
  return { error, logs: logs.map((log) => (log.closed.startsWith('fault') ? { ...log, payload: '' } : log)) };
}

function connectionTarget(name: string, server: boolean): FuzzTarget {
  return {
    name,
    words: h2Frames.words,
    seeds: [],
    async run(bytes: Buffer, random: Random): Promise<string> {
      const input = server ? Buffer.concat([PREFACE, bytes]) : bytes;
      const whole = await play(server, [input]);
      const inPieces = await play(server, cutUp(input, random));
      same('whole and in pieces', outcome(whole), outcome(inPieces));
      const kinds = whole.logs.map(
        ({ heads, payload, ended, closed }) => `${heads > 0}${payload !== ''}${ended}${closed}`,
      );
      return `${kindOf(whole.error)} ${[...new Set(kinds)].sort().join()}`;
    },
  };
}

/** Our side of a client's connection, after its preface; and of one to upstream. */
export const h2Server = connectionTarget('h2-server', true);
export const h2Client = connectionTarget('h2-client', false);
