import { type PointerEvent, useState } from 'react';
import { useApp, useWindow } from '../app-context.ts';

/** Pixels: a shorter drag is a click, which clears the window of time. */
const SHORTEST = 4;

/** Dragging over the chart selects a window of time. It lies over the chart, and is drawn apart from it. */
export function Brush({ from, to }: { from: number; to: number }) {
  const { store } = useApp();
  const timeWindow = useWindow((state) => state.timeWindow);
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null);
  const shareAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const onUp = (event: PointerEvent) => {
    if (drag === null) return;
    const [left, right] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
    const isDrag = (right - left) * event.currentTarget.clientWidth >= SHORTEST;
    const at = (share: number) => from + share * (to - from);
    store.setState({ timeWindow: isDrag ? { from: at(left), to: at(right) } : null });
    setDrag(null);
  };
  const share = (time: number) => Math.min(1, Math.max(0, (time - from) / (to - from)));
  const shown = drag ?? (timeWindow && { start: share(timeWindow.from), end: share(timeWindow.to) });
  return (
    <div
      className="brush"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ start: shareAt(event), end: shareAt(event) });
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, end: shareAt(event) })}
      onPointerUp={onUp}
    >
      {shown && (
        <span
          style={{
            left: `${Math.min(shown.start, shown.end) * 100}%`,
            width: `${Math.abs(shown.end - shown.start) * 100}%`,
          }}
        />
      )}
    </div>
  );
}
