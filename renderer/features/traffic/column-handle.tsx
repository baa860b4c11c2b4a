import { useRef } from 'react';

interface HandleProps {
  /** CSS pixels. */
  width: number;
  /** Null resets the width. */
  resize: (width: number | null) => void;
}

/**
 * The right edge of a column header. A drag changes the width, a double click resets it. Hidden from assistive
 * technology: the header's button has the keys.
 */
export function ColumnHandle({ width, resize }: HandleProps) {
  // A ref: only the width that follows from it is drawn.
  const drag = useRef<{ x: number; width: number } | null>(null);
  const drop = () => {
    drag.current = null;
  };
  return (
    <span
      aria-hidden="true"
      className="column-handle"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (drag.current) resize(drag.current.width + event.clientX - drag.current.x);
      }}
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={() => resize(null)}
    />
  );
}
