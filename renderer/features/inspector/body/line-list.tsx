import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect } from 'react';

const LINE_HEIGHT = 18;
const PADDING = 12;
/** So few lines are all drawn: the browser can then select over all of them. */
const ALL_DRAWN = 400;

interface LineListProps {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  /** What the lines are, for a screen reader. */
  label: string;
  className: string;
  line: (index: number) => ReactNode;
  /** A line to bring into sight, whenever it is another. */
  inSight?: number | undefined;
}

/** Lines of any number, of which those in sight are drawn. A line may wrap: its height is measured. */
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
    // What scrolls has to take the focus, or the keyboard does not reach its end (WCAG 2.1.1).
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
