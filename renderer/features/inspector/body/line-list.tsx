import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';

/** CSS pixels; an estimate, replaced by each line's measured height once it is drawn. */
const LINE_HEIGHT = 18;
/** CSS pixels above the first and below the last line. */
const PADDING = 12;
/** Up to this many lines are all rendered: the user can select across them and copy. */
const ALL_DRAWN = 400;

interface LineListProps {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  /** The accessible name of the list. */
  label: string;
  className: string;
  line: (index: number) => ReactNode;
  /** Index of a line to scroll to whenever it changes. */
  inSight?: number | undefined;
}

/** A virtual list of any number of lines. A line may wrap: heights are measured rather than fixed. */
export function LineList({ scroller, count, label, className, line, inSight }: LineListProps) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: count <= ALL_DRAWN ? ALL_DRAWN : 20,
    paddingStart: PADDING,
    paddingEnd: PADDING,
  });
  useEffect(() => {
    if (inSight !== undefined) virtual.scrollToIndex(inSight, { align: 'center' });
  }, [virtual, inSight]);
  return (
    // A scrollable element must be focusable, or keyboard users can't reach its end (WCAG 2.1.1).
    <section ref={scroller} className={`code ${className}`} aria-label={label} tabIndex={0}>
      <div className="lines" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            className="line"
            style={{ transform: `translateY(${start}px)` }}
          >
            {line(index)}
          </div>
        ))}
      </div>
    </section>
  );
}
