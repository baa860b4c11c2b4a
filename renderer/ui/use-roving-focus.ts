import { type KeyboardEvent, useRef, useState } from 'react';

/**
 * A row of buttons that is one stop of the Tab key, as WAI-ARIA's practices want it of tabs and toolbars: the arrow keys, Home and
 * End go from one to another.
 */
export function useRovingFocus(count: number, start = 0) {
  const [at, setAt] = useState(start);
  const elements = useRef<(HTMLElement | null)[]>([]);
  const current = Math.min(at, count - 1);
  /** Moves the focus, and gives the place that it went to; null for a key that is not one of these. */
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
