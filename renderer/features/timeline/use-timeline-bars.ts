import { useEffect, useState } from 'react';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { useApp } from '../app-context.ts';

/** The bars, at most four times a second: a chart need not be as live as a list. */
export function useTimelineBars(): TimelineBar[] {
  const { table } = useApp();
  const [bars, setBars] = useState(() => table.timeline.bars());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = table.changes.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setBars(table.timeline.bars());
      }, 250);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [table]);
  return bars;
}
