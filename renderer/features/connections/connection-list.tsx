import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef } from 'react';
import { secondOf } from '../../../shared/format/clock.ts';
import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { Lane } from '../../../shared/insight/connections/lanes.ts';
import { type ConnectionEnd, endWords } from '../../../shared/model/insight/connection-end.ts';
import { useApp } from '../app-context.ts';
import { type LaneAxis, lanePaths, laneScale, laneView, steppedAxis } from './lane-paths.ts';
import type { Ends } from './use-ends.ts';

/** CSS pixels, as in connections.css. */
const ROW_HEIGHT = 32;
/** Rows drawn beyond each edge, to avoid blanks during fast scrolling. */
const OVERSCAN = 6;

/** The lanes, of which only those on screen are drawn. They share an axis, which spans these. */
export function ConnectionList({ lanes, ends }: { lanes: readonly Lane[]; ends: Ends }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: -1 };
  const { from, span } = axisOf(lanes.slice(startIndex, endIndex + 1));
  return (
    <>
      <div className="connection-row list-heads" aria-hidden="true">
        <span>#</span>
        <span>Protocol</span>
        <span>Authority</span>
        <span>Exchanges</span>
        <span>Idle</span>
        <span>Saved</span>
        <span>Ended</span>
        <span>{formatDuration(span)}</span>
      </div>
      <section ref={scroller} className="connection-list" aria-label="Connections" tabIndex={0}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const lane = lanes[index];
            return (
              lane && (
                <li key={lane.id} className="connection-row" style={{ top: start }}>
                  <LaneCells lane={lane} end={ends.get(lane.id)} />
                  <LaneDrawing lane={lane} end={ends.get(lane.id)} from={from} span={span} />
                </li>
              )
            );
          })}
        </ul>
      </section>
    </>
  );
}

/** Loops, because a lane may have more streams than a call of `Math.max` takes arguments. */
function axisOf(lanes: readonly Lane[]): LaneAxis {
  if (lanes.length === 0) return { from: 0, span: 1 };
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { openedAt, streams } of lanes) {
    from = Math.min(from, openedAt);
    for (const stream of streams) to = Math.max(to, stream.to);
  }
  return steppedAxis(from, to);
}

interface LaneRow {
  lane: Lane;
  end: ConnectionEnd | undefined;
}

/** The part that scrolling does not change. The id leads to the lane's exchanges. */
const LaneCells = memo(function LaneCells({ lane, end }: LaneRow) {
  const { store } = useApp();
  const { id, protocol, authority, streams, depth, idle, saved } = lane;
  const show = () => store.setState({ query: `connection:${id}`, connectionsOpen: false });
  return (
    <>
      <button type="button" className="link" title="Show its exchanges" onClick={show}>
        {id}
      </button>
      <span>{protocol}</span>
      <span title={authority}>{authority}</span>
      <span>
        {streams.length.toLocaleString('en')}
        {depth > 1 && <small> {depth} at once</small>}
      </span>
      <span>{formatDuration(idle)}</span>
      <span>{streams.length > 1 && saved >= 0 ? formatDuration(saved) : ''}</span>
      <span title={end && endTitle(end)}>{end ? cellText(end) : ''}</span>
    </>
  );
});

const LaneOutlines = memo(function LaneOutlines({ lane, end, scale }: LaneRow & { scale: number }) {
  const paths = Object.entries(lanePaths(lane, end ?? null, scale));
  return paths.map(([kind, path]) => path && <path key={kind} className={kind} d={path} />);
});

/** One image with a sentence as its name (WCAG 1.1.1). */
const LaneDrawing = memo(function LaneDrawing({ lane, end, ...axis }: LaneRow & LaneAxis) {
  const label = useMemo(() => labelOf(lane, end), [lane, end]);
  return (
    <svg viewBox={laneView(lane, axis)} preserveAspectRatio="none" role="img" aria-label={label}>
      <LaneOutlines lane={lane} end={end} scale={laneScale(axis)} />
    </svg>
  );
});

/** The time that streams waited for flow-control windows; null if it is negligible. */
function blockedText({ windowBlocked }: ConnectionEnd): string | null {
  return windowBlocked >= 1 ? `windows closed ${formatDuration(windowBlocked)}` : null;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function endText(end: ConnectionEnd): string {
  const blocked = blockedText(end);
  return capitalised(blocked === null ? endWords(end) : `${endWords(end)}, ${blocked}`);
}

/** The figure first: a narrow column cuts the end. */
function cellText(end: ConnectionEnd): string {
  const blocked = blockedText(end);
  return capitalised(blocked === null ? endWords(end) : `${blocked}; ${endWords(end)}`);
}

function endTitle(end: ConnectionEnd): string {
  return `${secondOf(new Date(end.at))}: ${endText(end)}`;
}

/** The drawing in words. A negative duration means that there was no such phase. */
function labelOf({ dns, tcp, tls, streams }: Lane, end: ConnectionEnd | undefined): string {
  const parts = [
    ...(dns >= 0 ? [`DNS ${formatDuration(dns)}`] : []),
    ...(tcp >= 0 ? [`TCP ${formatDuration(tcp)}`] : []),
    ...(tls >= 0 ? [`TLS ${formatDuration(tls)}`] : []),
    counted(streams.length, 'exchange'),
    ...(end ? [endText(end)] : []),
  ];
  return parts.join(', ');
}
