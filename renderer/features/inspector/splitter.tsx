import { type ReactNode, useState } from 'react';

const KEY = 'roundtrip.inspector-width';
const NARROWEST = 320;

/** A pane at the right whose width can be dragged, or changed with the arrow keys, and is remembered. */
export function Splitter({ label, children }: { label: string; children: ReactNode }) {
  const [width, setWidth] = useState(() => Number(localStorage.getItem(KEY)) || 520);
  const resize = (wanted: number) => {
    const now = Math.round(Math.max(NARROWEST, Math.min(wanted, window.innerWidth * 0.75)));
    setWidth(now);
    localStorage.setItem(KEY, String(now));
  };
  return (
    <section className="inspector" aria-label={label} style={{ width }}>
      <div
        className="splitter"
        role="separator"
        aria-orientation="vertical"
        aria-label="Inspector width"
        aria-valuenow={width}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => event.buttons === 1 && resize(window.innerWidth - event.clientX)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') resize(width + 20);
          if (event.key === 'ArrowRight') resize(width - 20);
        }}
      />
      {children}
    </section>
  );
}
