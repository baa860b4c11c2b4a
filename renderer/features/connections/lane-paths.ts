import type { Lane } from '../../../shared/insight/connections/lanes.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';

/** The shown stretch of time. Milliseconds since the Unix epoch, and their length. */
export interface LaneAxis {
  from: number;
  span: number;
}

export type LaneEnd = Pick<ConnectionEnd, 'at' | 'closedWindows'>;

/** User units of a lane's drawing. */
const LANE_HEIGHT = 24;

/**
 * Outlines of all bars of a kind, as the `d` of one SVG path: a lane may have thousands of streams. Later bars cover
 * earlier ones.
 */
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
  /**
   * When any of its streams waited for a flow-control window: a band along the lower edge. Known once the connection
   * has ended.
   */
  window: string;
  /** Empty while it is open. */
  ended: string;
}

/** Shares of the axis: a narrower bar would not be visible. */
const SMALLEST = 0.001;
const MARK = 0.004;
/** User units: high enough to stay visible over any number of streams. */
const BAND = 5;

/** Spans per doubling; an axis begins at a multiple of this share of its span. */
const SPANS = 4;
const STARTS = 8;

/**
 * A little longer than from `from` to `to`, on a grid: scrolling by a row leaves the axis and each drawing unchanged.
 * Without the grid, each frame redrew all lanes.
 */
export function steppedAxis(from: number, to: number): LaneAxis {
  // With room for the fraction of a step by which it begins earlier.
  const least = (Math.max(to - from, 1) * STARTS) / (STARTS - 1);
  const span = 2 ** (Math.ceil(SPANS * Math.log2(least)) / SPANS);
  const step = span / STARTS;
  return { from: Math.floor(from / step) * step, span };
}

/**
 * The part of the SVG's plane that shows the axis. Scrolling moves the axis with each frame, and the view with it: the
 * outlines stay as they are.
 */
export function laneView({ openedAt }: Lane, { from, span }: LaneAxis): string {
  return `${from - openedAt} 0 ${span} ${LANE_HEIGHT}`;
}

/** The span, rounded down to a power of two: outlines are made again only when the axis has another order of size. */
export function laneScale({ span }: LaneAxis): number {
  return 2 ** Math.floor(Math.log2(span));
}

type Box = (from: number, to: number, top: number, height: number) => string;

/** Times become milliseconds after the lane's opening. Bars have at least their smallest width at `scale`. */
function boxes(openedAt: number, scale: number): Box {
  return (from, to, top, height) => {
    const width = Math.max(to - from, scale * SMALLEST);
    const [x, y, w, h] = [from - openedAt, top, width, height].map((each) => each.toFixed(2));
    return `M${x} ${y}h${w}v${h}h-${w}z`;
  };
}

function streamPaths({ streams }: Lane, box: Box): Pick<LanePaths, 'wait' | 'receive'> {
  const levels = streams.reduce((most, stream) => Math.max(most, stream.level + 1), 1);
  const level = LANE_HEIGHT / levels;
  // A little space between levels: without it, streams at once are one block.
  const height = Math.max(Math.min(level - Math.min(level / 4, 1), LANE_HEIGHT / 2), 0.4);
  const top = (at: number): number => (levels === 1 ? LANE_HEIGHT / 4 : at * level);
  return {
    wait: streams.map((stream) => box(stream.from, stream.firstByte, top(stream.level), height)).join(''),
    receive: streams.map((stream) => box(stream.firstByte, stream.to, top(stream.level), height)).join(''),
  };
}

/**
 * The drawing of a lane: opening, then each stream on its level, closed windows, then its end (null: not known).
 * `scale`: of `laneScale`.
 */
export function lanePaths(lane: Lane, end: LaneEnd | null, scale: number): LanePaths {
  const { openedAt, dns, tcp, tls, streams } = lane;
  const box = boxes(openedAt, scale);
  const afterDns = openedAt + Math.max(dns, 0);
  const afterTcp = afterDns + Math.max(tcp, 0);
  const opening = (start: number, duration: number): string =>
    duration > 0 ? box(start, start + duration, LANE_HEIGHT / 4, LANE_HEIGHT / 2) : '';
  const last = streams.reduce((latest, { to }) => Math.max(latest, to), openedAt);
  return {
    life: box(openedAt, Math.max(last, end?.at ?? last), LANE_HEIGHT / 2 - 0.5, 1),
    dns: opening(openedAt, dns),
    tcp: opening(afterDns, tcp),
    tls: opening(afterTcp, tls),
    ...streamPaths(lane, box),
    window: (end?.closedWindows ?? []).map(([from, to]) => box(from, to, LANE_HEIGHT - BAND, BAND)).join(''),
    ended: end === null ? '' : box(end.at, end.at + scale * MARK, 2, LANE_HEIGHT - 4),
  };
}
