import { CheckCircle2, CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { closeToast, type Toast } from '../../state/window-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useTopDialog } from '../../ui/open-dialogs.ts';
import { useApp, useWindow } from '../app-context.ts';

/**
 * Short messages at the edge of the window. A modal `<dialog>` is in the top layer and makes the rest of the page
 * inert: while one is open, the toasts are rendered inside it; otherwise they could not be read or clicked.
 */
export function Toasts() {
  const toasts = useWindow((state) => state.toasts);
  const dialog = useTopDialog();
  const all = (
    <div className="toasts" role="status">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
  return dialog ? createPortal(all, dialog) : all;
}

/** Milliseconds until a toast that needs no action closes. */
const READ = 8000;

/** One toast with its failure code, download link and button. Running the button's action closes the toast first. */
function ToastCard({ toast }: { toast: Toast }) {
  const { store } = useApp();
  const { action } = toast;
  // Errors and downloads stay until they are dismissed: the user may still need the code or the link.
  const passing = toast.tone === 'done' && toast.link === null;
  useEffect(() => {
    if (!passing) return;
    const timer = setTimeout(() => closeToast(store, toast.id), READ);
    return () => clearTimeout(timer);
  }, [store, toast.id, passing]);
  const Icon = toast.tone === 'error' ? CircleAlert : CheckCircle2;
  return (
    <div className={`toast ${toast.tone}`}>
      <Icon size={16} aria-hidden="true" />
      <div>
        {toast.code && <code>{toast.code}</code>}
        <p>{toast.message}</p>
        {toast.link && (
          <a href={toast.link.url} download>
            {toast.link.label}
          </a>
        )}
        {action && (
          <Button
            onClick={() => {
              closeToast(store, toast.id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={() => closeToast(store, toast.id)} />
    </div>
  );
}
