import { useEffect, useState } from 'react';
import { useApp, useWindow } from './app-context.ts';

/**
 * Milliseconds between redraws of open exchanges. Fewer during a rush: drawing takes CPU from the page that is loading.
 */
const OFTEN = 100;
const SELDOM = 1000;

/**
 * The host's time, milliseconds since the Unix epoch. Renders again as time passes, but only while `anyOpen` and
 * connected: open exchanges stop growing when the host is gone.
 */
export function useHostNow(anyOpen: boolean): number {
  const { clock, table } = useApp();
  const passing = useWindow(({ connected }) => connected) && anyOpen;
  const [, draw] = useState(0);
  useEffect(() => {
    if (!passing) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      // Not an interval: a rush may begin or end, and each pause has to follow it.
      timer = setTimeout(
        () => {
          draw((count) => count + 1);
          next();
        },
        table.rush.on ? SELDOM : OFTEN,
      );
    };
    next();
    return () => clearTimeout(timer);
  }, [passing, table]);
  return clock.now();
}
