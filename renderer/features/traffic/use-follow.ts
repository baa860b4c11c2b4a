import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Pixels from the bottom that still count as being there. */
const SLACK = 40;

/**
 * Keeps the newest row in sight until the user scrolls up, and again once they are back at the bottom. Not while `held`: a row
 * that is being looked at stays where it is.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  held: boolean,
): void {
  const following = useRef(true);
  const { count } = virtual.options;
  // Where the list will be scrolled to below: else rows that leave with that are made, laid out and thrown away first.
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
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !following.current || held || count === 0) return;
    element.scrollTop = element.scrollHeight;
  }, [scroller, count, held]);
}
