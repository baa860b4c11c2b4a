import { CheckCircle2, CircleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { closeToast, type Toast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';

export function Toasts() {
  const toasts = useWindow((state) => state.toasts);
  return (
    <div className="toasts" role="status">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Milliseconds that a message stays that asks for nothing. */
const READ = 8000;

function ToastCard({ toast }: { toast: Toast }) {
  const { store } = useApp();
  const { action } = toast;
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
      <button type="button" className="copy" aria-label="Dismiss" onClick={() => closeToast(store, toast.id)}>
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
