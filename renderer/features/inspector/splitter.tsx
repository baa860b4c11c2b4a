import { type ReactNode, useState } from 'react';

const KEY = 'roundtrip.inspector-width';
const NARROWEST = 320;

/** As the style has it: of a wide window the list takes the greater part. */
function usualWidth(): number {
  return Math.min(720, Math.max(NARROWEST, Math.round(window.innerWidth * 0.42)));
}

/** One that leaves a quarter of the window to the list. */
function fitting(wanted: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(wanted, window.innerWidth * 0.75)));
}

/** A pane at the right whose width can be dragged, or changed with the arrow keys, and is remembered. */
export function Splitter({ label, children }: { label: string; children: ReactNode }) {
  /** 0: none was chosen, and the style gives one. */
  const [chosen, setWidth] = useState(() => Number(localStorage.getItem(KEY)) || 0);
  const width = chosen || usualWidth();
  const resize = (wanted: number) => {
    setWidth(fitting(wanted));
    localStorage.setItem(KEY, String(fitting(wanted)));
  };
  return (
    <section className="inspector" aria-label={label} style={chosen ? { width: `min(${chosen}px, 75vw)` } : {}}>
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
