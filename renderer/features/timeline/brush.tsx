import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { type BrushRange, type Edge, edgeAfterKey, withEdge } from '../../state/brush-window.ts';
import { useApp, useWindow } from '../app-context.ts';
import { clockLabel } from './ticks.ts';

/** CSS pixels. A shorter drag is a click, which clears the time window. */
const SHORTEST = 4;
/** CSS pixels on each side of an edge within which a drag moves that edge. */
const GRIP = 6;

/**
 * Dragging over the chart selects a time window, dragging an edge moves it, and each edge is a slider for the keyboard.
 * An overlay, not a part of the chart: a drag does not redraw the chart.
 */
export function Brush(range: BrushRange) {
  const { store } = useApp();
  const timeWindow = useWindow((state) => state.timeWindow);
  const { drag, handlers } = useBrushDrag(range);
  const share = (time: number) => Math.min(1, Math.max(0, (time - range.from) / (range.to - range.from)));
  const shown = drag ?? (timeWindow && { start: share(timeWindow.from), end: share(timeWindow.to) });
  const onKeyDown = (edge: Edge) => (event: KeyboardEvent) => {
    const at = (timeWindow ?? range)[edge];
    const wanted = edgeAfterKey(event.key, at, range, event.shiftKey);
    if (event.key === 'Escape') store.setState({ timeWindow: null });
    else if (wanted !== null) store.setState({ timeWindow: withEdge(timeWindow, edge, wanted, range) });
    else return;
    event.preventDefault();
  };
  return (
    <div className="brush" {...handlers}>
      {shown && (
        <span
          className="chosen"
          style={{
            left: `${Math.min(shown.start, shown.end) * 100}%`,
            width: `${Math.abs(shown.end - shown.start) * 100}%`,
          }}
        />
      )}
      {(['from', 'to'] as const).map((edge) => {
        const at = (timeWindow ?? range)[edge];
        return <EdgeSlider key={edge} edge={edge} at={at} left={share(at)} range={range} onKeyDown={onKeyDown(edge)} />;
      })}
    </div>
  );
}

interface EdgeProps {
  edge: Edge;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** A fraction of the width, 0 to 1. */
  left: number;
  range: BrushRange;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * A slider for one edge (WAI-ARIA Authoring Practices, multi-thumb slider). Its value is a time, which is read as text:
 * milliseconds since 1970 mean nothing to users.
 */
function EdgeSlider({ edge, at, left, range, onKeyDown }: EdgeProps) {
  return (
    <div
      role="slider"
      tabIndex={0}
      className="edge"
      aria-label={edge === 'from' ? 'Time window start' : 'Time window end'}
      aria-valuemin={range.from}
      aria-valuemax={range.to}
      // A window may reach beyond the range that is drawn, and a value must not.
      aria-valuenow={Math.min(range.to, Math.max(range.from, at))}
      aria-valuetext={clockLabel(at, 100)}
      style={{ left: `${left * 100}%` }}
      onKeyDown={onKeyDown}
    />
  );
}

interface Drag {
  /** Fractions of the width, 0 to 1. */
  start: number;
  end: number;
}

/** Handles the pointer. The time window is set when the drag ends: setting it filters all rows again. */
function useBrushDrag({ from, to }: BrushRange) {
  const { store } = useApp();
  const [drag, setDrag] = useState<Drag | null>(null);
  const shareAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  /** The fixed end of a drag: the opposite edge if the pointer is on an edge, else where the pointer is. */
  const anchorOf = (event: PointerEvent, at: number): number => {
    const now = store.getState().timeWindow;
    if (now === null) return at;
    const [left, right] = [now.from, now.to].map((time) => (time - from) / (to - from));
    const near = (edge = -1) => Math.abs(edge - at) * event.currentTarget.clientWidth <= GRIP;
    if (near(left)) return right ?? at;
    return near(right) ? (left ?? at) : at;
  };
  const onPointerDown = (event: PointerEvent) => {
    // The drag continues when the pointer leaves the chart.
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = shareAt(event);
    setDrag({ start: anchorOf(event, at), end: at });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag) setDrag({ ...drag, end: shareAt(event) });
  };
  const onPointerUp = (event: PointerEvent) => {
    if (drag === null) return;
    const [left, right] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
    const isDrag = (right - left) * event.currentTarget.clientWidth >= SHORTEST;
    const at = (share: number) => from + share * (to - from);
    store.setState({ timeWindow: isDrag ? { from: at(left), to: at(right) } : null });
    setDrag(null);
  };
  const onPointerCancel = () => setDrag(null);
  return { drag, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}
