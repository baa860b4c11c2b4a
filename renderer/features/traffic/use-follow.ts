import { type RefObject, useLayoutEffect, useRef } from 'react';

/** CSS pixels from the bottom that still count as the bottom. */
const SLACK = 40;

/**
 * Keeps the newest row in view until the user scrolls up, and again once they are back at the bottom. Not while `held`:
 * a row that is being inspected stays where it is. Returns whether a list of `count` rows is about to be scrolled to
 * its end: otherwise React would first render rows at the old offset, have them laid out, and discard them.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, count: number, held: boolean): boolean {
  const following = useRef(true);
  // A layout effect, to see a scroll before `useRowWindow` draws it.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = () => {
      following.current = element.scrollHeight - element.scrollTop - element.clientHeight < SLACK;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  // A layout effect, before the frame is painted: the list would jump visibly otherwise.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !following.current || held || count === 0) return;
    element.scrollTop = element.scrollHeight;
  }, [scroller, count, held]);
  // A panel that opens below the list makes it shorter, and its end would be out of sight.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || held) return;
    const sizes = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [scroller, held]);
  return following.current && !held;
}
