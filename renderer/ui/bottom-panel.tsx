import { X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { IconButton } from './button.tsx';

interface BottomPanelProps {
  /** Sets its height. */
  className: string;
  /** What it holds, as its accessible name and in the name of its close button. */
  label: string;
  /** The visible heading, which may differ from `label`. */
  title: string;
  /** Next to the title. */
  header: ReactNode;
  /** Also for Escape while the focus is in the panel. */
  close: () => void;
  /** For callers that move the focus to the panel. */
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A panel below the list. It can have the focus, which it gets when the button that had it is gone. */
export function BottomPanel({ className, label, title, header, close, ref, children }: BottomPanelProps) {
  return (
    <section
      ref={ref}
      className={`bottom-panel ${className}`}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The window listens too: the same key would clear the selection in the list.
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h2>{title}</h2>
        {header}
        <IconButton icon={X} size={16} label={`Close ${label.toLowerCase()}`} onClick={close} />
      </header>
      {children}
    </section>
  );
}
