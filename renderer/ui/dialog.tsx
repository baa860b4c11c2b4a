import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { dialogOpened } from './open-dialogs.ts';

interface DialogProps {
  /** The heading and the accessible name. */
  title: string;
  children: ReactNode;
  /** For editors. */
  wide?: boolean;
  /** Also for Escape. The caller unmounts the dialog. */
  onClose: () => void;
}

/**
 * A modal dialog. The browser's `<dialog>` traps the focus, closes on Escape and restores the focus. It opens with the
 * focus on the control with `data-initial-focus`, if there is one.
 */
export function Dialog({ title, children, wide = false, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // The `open` attribute would show it without a backdrop and without trapping the focus.
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    dialog.showModal();
    // Without it the browser focuses the first control: the button that closes the dialog.
    dialog.querySelector<HTMLElement>('[data-initial-focus]')?.focus();
    return dialogOpened(dialog);
  }, []);
  return (
    <dialog ref={element} className={wide ? 'dialog wide' : 'dialog'} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <IconButton icon={X} size={16} label="Close" onClick={() => element.current?.close()} />
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
