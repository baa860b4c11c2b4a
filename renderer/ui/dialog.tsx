import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** For editors. */
  wide?: boolean;
  onClose: () => void;
}

/** A modal dialog. The browser's `<dialog>` traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, children, wide = false, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // The `open` attribute would show it without a backdrop and without trapping the focus.
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} className={wide ? 'dialog wide' : 'dialog'} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" className="copy" aria-label="Close" onClick={() => element.current?.close()}>
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
