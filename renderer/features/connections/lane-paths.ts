import type { Lane } from '../../../shared/insight/connections/lanes.ts';

/** The shown stretch of time. Milliseconds since the Unix epoch, and their length. */
export interface LaneAxis {
  from: number;
  span: number;
}

/** User units of a lane's drawing. */
export const LANE_WIDTH = 1000;
export const LANE_HEIGHT = 24;

/** Outlines of all bars of a kind, as the `d` of one SVG path: a lane may have thousands of streams. Later ones cover earlier. */
export interface LanePaths {
  /** From the lane's first byte to its last, or to its end. */
  life: string;
  dns: string;
  tcp: string;
  tls: string;
  /** From a stream's start to its first byte. */
  wait: string;
  /** From a stream's first byte to its end. */
  receive: string;
  /** Empty while it is open, and if it ended after the shown stretch. */
  ended: string;
}

/** User units: a narrower bar would not be visible. */
const SMALLEST = 0.75;
/** Share of the axis. */
const MARK = 0.003;

/** The drawing of a lane: opening, then each stream on its level, then its end (`endedAt`; null: not known). */
export function lanePaths(lane: Lane, endedAt: number | null, { from, span }: LaneAxis): LanePaths {
  const x = (time: number): number => ((time - from) / span) * LANE_WIDTH;
  const box = (start: number, end: number, top: number, height: number): string => {
    const width = Math.max(x(end) - x(start), SMALLEST);
    return `M${x(start).toFixed(2)} ${top.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h${(-width).toFixed(2)}z`;
  };
  const levels = lane.streams.reduce((most, stream) => Math.max(most, stream.level + 1), 1);
  const level = LANE_HEIGHT / levels;
  // A hair of space between levels, as long as there is room for it.
  const height = Math.max(Math.min(level - (level > 4 ? 1 : 0), LANE_HEIGHT / 2), 0.4);
  const top = (at: number): number => (levels === 1 ? LANE_HEIGHT / 4 : at * level);
  const { openedAt, dns, tcp, tls, streams } = lane;
  const afterDns = openedAt + Math.max(dns, 0);
  const afterTcp = afterDns + Math.max(tcp, 0);
  const opening = (start: number, duration: number): string =>
    duration > 0 ? box(start, start + duration, LANE_HEIGHT / 4, LANE_HEIGHT / 2) : '';
  const last = streams.reduce((latest, { to }) => Math.max(latest, to), openedAt);
  const end = Math.max(last, Math.min(endedAt ?? last, from + span));
  return {
    life: box(openedAt, end, LANE_HEIGHT / 2 - 0.5, 1),
    dns: opening(openedAt, dns),
    tcp: opening(afterDns, tcp),
    tls: opening(afterTcp, tls),
    wait: streams.map((stream) => box(stream.from, stream.firstByte, top(stream.level), height)).join(''),
    receive: streams.map((stream) => box(stream.firstByte, stream.to, top(stream.level), height)).join(''),
    ended: endedAt === null || endedAt > from + span ? '' : box(endedAt, endedAt + span * MARK, 2, LANE_HEIGHT - 4),
  };
}
