import type { Protocol } from '../../model/connection.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import type { Timings } from '../../model/timings.ts';
import { median } from '../figures.ts';

export type Side = 'client' | 'upstream';

/** One exchange on a connection. Times in milliseconds since the Unix epoch. */
export interface LaneStream {
  /** Of the exchange. */
  id: number;
  from: number;
  /** When the response began; `to` if none came. */
  firstByte: number;
  to: number;
  /** Its place among streams at the same time, from 0 to 127: HTTP/2 carries several. */
  level: number;
}

/** A connection of one side, with its exchanges. */
export interface Lane {
  id: number;
  side: Side;
  protocol: Protocol;
  /** The first authority that it carried requests for. */
  authority: string;
  /**
   * When opening it began: DNS, then TCP, then TLS. Milliseconds since the Unix epoch; the durations, -1 if unknown.
   */
  openedAt: number;
  dns: number;
  tcp: number;
  tls: number;
  /** In order of their start. */
  streams: LaneStream[];
  /** The most streams at the same time. */
  depth: number;
  /** Milliseconds between the first stream's start and the last one's end without any stream. */
  idle: number;
  /** Milliseconds that handshakes would have taken for the streams after the first; -1 if no handshake was measured. */
  saved: number;
}

interface Opening {
  dns: number;
  tcp: number;
  tls: number;
}

const NOT_OPENED: Opening = { dns: -1, tcp: -1, tls: -1 };

function openingOf({ dns, connect, ssl }: Timings): Opening {
  return connect < 0 ? NOT_OPENED : { dns, tcp: connect - Math.max(ssl, 0), tls: ssl };
}

function durationOf({ dns, tcp, tls }: Opening): number {
  return Math.max(dns, 0) + Math.max(tcp, 0) + Math.max(tls, 0);
}

/** The upstream side has an exchange's time from its first byte out; the client's side all of it. */
function streamOf(row: ExchangeSummary, side: Side): LaneStream {
  const { startedAt, timings, total, id } = row;
  const opening = Math.max(timings.dns, 0) + Math.max(timings.connect, 0);
  const before = side === 'upstream' ? Math.max(timings.blocked, 0) + opening : 0;
  const to = startedAt + total;
  const firstByte = timings.receive < 0 ? to : to - timings.receive;
  return { id, from: startedAt + before, firstByte, to, level: 0 };
}

/** More levels could not be distinguished in a lane, and searching for a free one would take long. */
const MOST_LEVELS = 128;

/** Gives each stream the lowest free level. */
function stack(streams: readonly LaneStream[]): void {
  const ends: number[] = [];
  for (const [index, stream] of streams.entries()) {
    const free = ends.findIndex((end) => end <= stream.from);
    const next = ends.length < MOST_LEVELS ? ends.length : index % MOST_LEVELS;
    stream.level = free < 0 ? next : free;
    ends[stream.level] = stream.to;
  }
}

/** The most streams at the same time. `streams`: in order of their start. */
function depthOf(streams: readonly LaneStream[]): number {
  const ends = streams.map(({ to }) => to).sort((one, other) => one - other);
  let ended = 0;
  let most = 0;
  for (const [started, { from }] of streams.entries()) {
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= from) ended += 1;
    most = Math.max(most, started + 1 - ended);
  }
  return most;
}

function idleOf(streams: readonly LaneStream[]): number {
  let idle = 0;
  let busyUntil = streams[0]?.to ?? 0;
  for (const { from, to } of streams) {
    idle += Math.max(from - busyUntil, 0);
    busyUntil = Math.max(busyUntil, to);
  }
  return idle;
}

/** A connection while its rows are being read. Rows are views of a table: none is kept. */
interface Gathered extends Opening {
  protocol: Protocol;
  authority: string;
  /** -1: no row opened it. */
  openedAt: number;
  streams: LaneStream[];
}

function gather({ protocol, authority }: ExchangeSummary): Gathered {
  return { protocol, authority, ...NOT_OPENED, openedAt: -1, streams: [] };
}

function addRow(to: Gathered, row: ExchangeSummary, side: Side): void {
  to.streams.push(streamOf(row, side));
  if (side === 'client' || to.openedAt >= 0 || row.timings.connect < 0) return;
  Object.assign(to, openingOf(row.timings));
  to.openedAt = row.startedAt + Math.max(row.timings.blocked, 0);
}

function laneOf(id: number, side: Side, { openedAt: opened, streams, ...known }: Gathered): Lane {
  streams.sort((one, other) => one.from - other.from);
  stack(streams);
  const openedAt = opened < 0 ? (streams[0]?.from ?? 0) : opened;
  return { id, side, ...known, openedAt, streams, depth: depthOf(streams), idle: idleOf(streams), saved: -1 };
}

/** What a handshake with each authority takes, milliseconds: the median of those measured. */
function handshakes(lanes: readonly Lane[]): Map<string, number> {
  const durations = new Map<string, number[]>();
  for (const lane of lanes) {
    if (lane.tcp < 0) continue;
    const known = durations.get(lane.authority);
    if (known) known.push(durationOf(lane));
    else durations.set(lane.authority, [durationOf(lane)]);
  }
  return new Map([...durations].map(([authority, all]) => [authority, median(all)]));
}

/**
 * The connections of one side in the order in which they were opened. Rows whose connection is unknown are left out.
 * `rows` may be views: each is read before the next is requested.
 */
export function lanesOf(rows: Iterable<ExchangeSummary>, side: Side): Lane[] {
  const byConnection = new Map<number, Gathered>();
  for (const row of rows) {
    const id = side === 'client' ? row.clientConnection : row.upstreamConnection;
    if (id === 0) continue;
    const known = byConnection.get(id) ?? gather(row);
    if (known.streams.length === 0) byConnection.set(id, known);
    addRow(known, row, side);
  }
  const lanes = [...byConnection].map(([id, carried]) => laneOf(id, side, carried));
  const typical = handshakes(lanes);
  for (const lane of lanes) {
    const handshake = typical.get(lane.authority);
    if (handshake !== undefined) lane.saved = handshake * (lane.streams.length - 1);
  }
  return lanes.sort((one, other) => one.openedAt - other.openedAt);
}
