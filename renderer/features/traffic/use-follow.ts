import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** CSS pixels from the bottom that still count as the bottom. */
const SLACK = 40;

/**
 * Keeps the newest row in view until the user scrolls up, and again once they are back at the bottom. Not while `held`:
 * a row that is being inspected stays where it is.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  held: boolean,
): void {
  const following = useRef(true);
  const { count } = virtual.options;
  // Sets the offset that the layout effect below scrolls to. Otherwise React first renders rows at the old offset, has
  // them laid out, and discards them.
  if (following.current && !held && virtual.scrollRect !== null) {
    virtual.scrollOffset = Math.max(0, virtual.getTotalSize() - virtual.scrollRect.height);
  }
  useEffect(() => {
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
}
