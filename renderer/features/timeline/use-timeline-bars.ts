import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterNextFrame, CHART_SHARE, DrawingPace } from '../../state/drawing-pace.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { useApp } from '../app-context.ts';

/**
 * The bars, at once and then at most once a second, or less often where drawing them is slow. Four times a second were half
 * of the window's script time while a page of 1,000 images loaded.
 */
export function useTimelineBars(): TimelineBar[] {
  const { table } = useApp();
  const [bars, setBars] = useState(() => table.timeline.bars());
  useEffect(() => {
    const pace = new DrawingPace(CHART_SHARE, undefined, afterNextFrame);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      // At once, or the pace would not see what it costs.
      pace.draw(() => flushSync(() => setBars(table.timeline.bars())));
    };
    const drawSoon = () => {
      timer ??= setTimeout(draw, pace.wait);
    };
    drawSoon();
    const end = table.changes.subscribe(drawSoon);
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [table]);
  return bars;
}
