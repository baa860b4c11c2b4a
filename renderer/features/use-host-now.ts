import { useEffect, useState } from 'react';
import { useApp, useWindow } from './app-context.ts';

/** How often what is open grows, milliseconds; in a rush of rows drawing it would take cores from the page that is loading. */
const OFTEN = 100;
const SELDOM = 1000;

/** The host's time, milliseconds since the Unix epoch. Draws again as it passes while `anyOpen`, and the host is there. */
export function useHostNow(anyOpen: boolean): number {
  const { clock, table } = useApp();
  const passing = useWindow(({ connected }) => connected) && anyOpen;
  const [, draw] = useState(0);
  useEffect(() => {
    if (!passing) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
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
