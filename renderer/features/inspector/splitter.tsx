import { type ReactNode, useState } from 'react';

/** The key in localStorage. */
const KEY = 'roundtrip.inspector-width';
/** CSS pixels. */
const NARROWEST = 320;

/** The default width in CSS pixels, as in inspector.css. Keyboard resizing starts from it. */
function usualWidth(): number {
  return Math.min(720, Math.max(NARROWEST, Math.round(window.innerWidth * 0.42)));
}

/** The list keeps at least a quarter of the window. CSS pixels. */
function widest(): number {
  return Math.max(NARROWEST, Math.round(window.innerWidth * 0.75));
}

function fitting(wanted: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(wanted, widest())));
}

/**
 * The pane on the right. Its width can be dragged or changed with the arrow keys (the window splitter pattern of the
 * WAI-ARIA Authoring Practices), and is kept across sessions.
 */
export function Splitter({ label, children }: { label: string; children: ReactNode }) {
  // 0: the user chose none, and the style sheet sets the width, which follows the window's size.
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
        aria-valuemin={NARROWEST}
        aria-valuemax={widest()}
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
