import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** CSS pixels, as in traffic.css. */
const ROW_HEIGHT = 28;
/** CSS pixels. The header is sticky inside the scroller, and rows start below it. */
const HEADER_HEIGHT = 29;
/** Rows rendered beyond the visible ones: one step of a mouse wheel is three or four rows. */
const OVERSCAN = 4;

/** A part of the list: its first and last index, and the height of the scroller in CSS pixels. */
interface Seen {
  first: number;
  last: number;
  height: number;
}

/** Which rows to render where, and a way to scroll to one of them. */
export interface RowWindow {
  /**
   * The rows to render; `start` is CSS pixels from the top of the list. `slot`: which drawn row shows it.
   */
  items: readonly { index: number; start: number; slot: number }[];
  /** The rows on screen. */
  range: { first: number; last: number };
  /** CSS pixels. */
  totalHeight: number;
  /** Scrolls as little as brings the row into sight. */
  reveal: (index: number) => void;
}

/** `top` counts from the scroller's top, where the header is: the first row starts below it. */
function seenAt(top: number, height: number): Seen {
  const indexAt = (offset: number) => Math.max(0, Math.floor((offset - HEADER_HEIGHT) / ROW_HEIGHT));
  return { first: indexAt(top), last: indexAt(top + height), height };
}

/** A scroll within a row needs no drawing. */
function isSame(a: Seen, b: Seen): boolean {
  return a.first === b.first && a.last === b.last && a.height === b.height;
}

/** Scrolls as little as brings the row into sight. */
function scrollTo(element: HTMLElement, index: number): void {
  const start = HEADER_HEIGHT + index * ROW_HEIGHT;
  const { scrollTop, clientHeight } = element;
  if (start < scrollTop + HEADER_HEIGHT) element.scrollTop = start - HEADER_HEIGHT;
  else if (start + ROW_HEIGHT > scrollTop + clientHeight) element.scrollTop = start + ROW_HEIGHT - clientHeight;
}

/**
 * Which of `count` rows a scroller shows. All rows have the same height, and everything follows from it: a library for
 * variable heights creates an object for each row: a million for each batch that arrives. `atEnd`: the list is about to
 * be scrolled to its end.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number, atEnd: boolean): RowWindow {
  const [seen, setSeen] = useState<Seen>({ first: 0, last: 0, height: 0 });
  // Not always `seen`: rows were drawn for a jump to the end, and another jump may replace that before it is seen.
  const drawn = useRef(seen);
  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const next = seenAt(element.scrollTop, element.clientHeight);
    setSeen((before) => (isSame(before, next) && isSame(drawn.current, next) ? before : next));
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    look();
    // Rows must be there when the frame of the scrolling is painted: React would draw them in a later frame.
    const onScroll = () => flushSync(look);
    element.addEventListener('scroll', onScroll, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      sizes.disconnect();
    };
  }, [scroller, look]);
  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element === null) return;
      scrollTo(element, index);
      look();
    },
    [scroller, look],
  );
  const totalHeight = HEADER_HEIGHT + count * ROW_HEIGHT;
  const top = Math.max(0, totalHeight - seen.height);
  const isBeyond = seen.last >= count;
  drawn.current = atEnd || isBeyond ? seenAt(top, seen.height) : seen;
  const { first, last } = drawn.current;
  return { items: useSlots(itemsOf(first, last, count)), range: { first, last }, totalHeight, reveal };
}

/**
 * The slots of these items. A row that stays in view keeps its slot. After a jump, in which no row stays, the rows
 * take the slots of those before: React then changes texts, which costs half of what new elements do.
 */
function useSlots(items: readonly { index: number; start: number }[]): RowWindow['items'] {
  const drawn = useRef({ first: 0, last: 0, shift: 0 });
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { current: before } = drawn;
  const isJump = first > before.last || last < before.first;
  const shift = isJump ? before.shift + before.first - first : before.shift;
  drawn.current = { first, last, shift };
  return items.map((item) => ({ ...item, slot: item.index + shift }));
}

/** The positions of the rows from `first` to `last`, with some beyond on both sides. */
function itemsOf(first: number, last: number, count: number): { index: number; start: number }[] {
  const from = Math.max(0, first - OVERSCAN);
  const to = Math.min(count - 1, last + OVERSCAN);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => {
    return { index: from + at, start: HEADER_HEIGHT + (from + at) * ROW_HEIGHT };
  });
}
