import { useEffect, useState } from 'react';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { useApp } from '../app-context.ts';

/** Milliseconds from one drawing to the next. Four a second were half of the window's script time while a page of 1,000 images loaded. */
const PAUSE = 1000;

/** The bars, at once and then at most once a second: a chart need not be as live as a list. */
export function useTimelineBars(): TimelineBar[] {
  const { table } = useApp();
  const [bars, setBars] = useState(() => table.timeline.bars());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let changed = false;
    const draw = () => {
      changed = false;
      setBars(table.timeline.bars());
      timer = setTimeout(() => {
        timer = undefined;
        if (changed) draw();
      }, PAUSE);
    };
    draw();
    const end = table.changes.subscribe(() => {
      changed = true;
      if (timer === undefined) draw();
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [table]);
  return bars;
}
