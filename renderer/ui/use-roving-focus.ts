import { type KeyboardEvent, useRef, useState } from 'react';

/**
 * Makes a row of buttons one tab stop with a roving tabindex, as the WAI-ARIA Authoring Practices recommend for tabs
 * and toolbars: the arrow keys, Home and End move the focus. `start` is the index that Tab reaches first.
 */
export function useRovingFocus(count: number, start = 0) {
  const [at, setAt] = useState(start);
  const elements = useRef<(HTMLElement | null)[]>([]);
  // The row may have become shorter, as the list's columns do.
  const current = Math.min(at, count - 1);
  /** Moves the focus and returns its new index; null for any other key. */
  const move = (event: KeyboardEvent): number | null => {
    const places: Record<string, number> = {
      ArrowLeft: (current + count - 1) % count,
      ArrowRight: (current + 1) % count,
      Home: 0,
      End: count - 1,
    };
    const place = places[event.key];
    if (place === undefined) return null;
    event.preventDefault();
    // The list and the window listen to the same keys.
    event.stopPropagation();
    elements.current[place]?.focus();
    return place;
  };
  const props = (index: number) => ({
    ref: (element: HTMLElement | null) => {
      elements.current[index] = element;
    },
    tabIndex: index === current ? 0 : -1,
    onFocus: () => setAt(index),
  });
  return { props, onKeyDown: move };
}
