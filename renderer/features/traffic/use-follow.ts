import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Pixels from the bottom that still count as being there. */
const SLACK = 40;

/**
 * Keeps the newest row in sight until the user scrolls up, and again once they are back at the bottom. Not while `held`: a row
 * that is being looked at stays where it is.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, count: number, held: boolean): void {
  const following = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      following.current = element.scrollHeight - element.scrollTop - element.clientHeight < SLACK;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !following.current || held || count === 0) return;
    element.scrollTop = element.scrollHeight;
    // The browser says so with the next frame: by then the rows that left would have been drawn once for nothing.
    element.dispatchEvent(new Event('scroll'));
  }, [scroller, count, held]);
}
