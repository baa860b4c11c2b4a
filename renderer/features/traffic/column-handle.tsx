import { useRef } from 'react';

interface HandleProps {
  width: number;
  resize: (width: number | null) => void;
}

/** The right edge of a column's head: a drag changes its width, a double click gives it its own again. Keys are the head's. */
export function ColumnHandle({ width, resize }: HandleProps) {
  const drag = useRef<{ x: number; width: number } | null>(null);
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
      onPointerUp={() => {
        drag.current = null;
      }}
      onDoubleClick={() => resize(null)}
    />
  );
}
