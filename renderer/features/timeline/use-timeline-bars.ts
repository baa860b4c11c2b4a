import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { CHART_SHARE, DrawingPace } from '../../state/drawing-pace.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { TimelinePace } from '../../state/timeline-pace.ts';
import { useApp } from '../app-context.ts';

/** The timeline's bars, updated at the rate that `TimelinePace` allows; none while the first rows are read. */
export function useTimelineBars(): TimelineBar[] {
  const { table } = useApp();
  const [bars, setBars] = useState(() => (table.complete ? table.timeline.bars() : []));
  useEffect(() => {
    const pace = new DrawingPace(CHART_SHARE);
    // Synchronous, because the pace measures what drawing costs; React would schedule it for later otherwise.
    return new TimelinePace(table, pace, (next) => flushSync(() => setBars(next))).start();
  }, [table]);
  return bars;
}
