import { SessionFiller } from '../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../electron/session/write/session-writer.ts';
import type { Timings } from '../../../shared/model/timings.ts';
import { exampleExchange } from '../../support/example-exchange.ts';

const HOSTS = ['app.example.com', 'api.example.com', 'cdn.example.net', 'login.example.com', 'metrics.example.org'];
const TYPES = ['application/json', 'text/html', 'image/webp', 'text/css', 'text/javascript'];
const STATUSES = [200, 200, 200, 200, 304, 404, 201, 302, 500, 200];
const START = 1_790_000_000_000;

/** A number from 0 to 1 that looks random, the same for the same id. */
function fraction(id: number): number {
  return ((id * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
}

/** Milliseconds with microseconds as decimals, as a recording has them. */
function recorded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** Of an exchange on a reused connection. */
function timingsOf(at: number): Partial<Timings> {
  return {
    ...{ blocked: recorded(at * 4), dns: -1, connect: -1, ssl: -1, send: recorded(at * 0.6) },
    ...{ wait: recorded(5 + at * 250), receive: recorded(at * 20) },
    ...{ overheadRequest: recorded(at * 2), overheadResponse: recorded(at * 0.4) },
  };
}

const NO_TIME: Partial<Timings> = { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };

/** The exchange with the shortest time and the first path, by which a sorted list is known. */
export function firstSorted(exchanges: number): number {
  return Math.floor(exchanges / 3);
}

function pathOf(id: number, first: number): string {
  if (id === first) return '/!';
  return `/api/v${1 + (id % 3)}/items/${Math.floor(fraction(id) * 1e9)}?page=${id % 50}&sort=name`;
}

/** Writes a session of that many exchanges, a different path in each; none has a body. */
export function writeSession(file: string, exchanges: number): void {
  const writer = SessionWriter.open(file);
  const filler = new SessionFiller(writer);
  const first = firstSorted(exchanges);
  for (let id = 1; id <= exchanges; id += 1) {
    const at = fraction(id);
    const host = HOSTS[id % HOSTS.length] ?? '';
    const exchange = exampleExchange({
      id,
      startedAt: recorded(START + id * 4 + at),
      request: { method: id % 5 === 0 ? 'POST' : 'GET', authority: host, path: pathOf(id, first) },
      response: {
        status: STATUSES[id % STATUSES.length] ?? 200,
        headers: ['Content-Type', TYPES[id % TYPES.length] ?? '', 'Server', 'example'],
        body: { size: Math.floor(at * 200_000), stored: 0, complete: true },
      },
      timings: id === first ? NO_TIME : timingsOf(at),
    });
    filler.add({ exchange, bodies: { request: null, response: null }, marks: [] });
  }
  filler.flush();
  writer.close();
}
