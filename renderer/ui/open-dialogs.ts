import { useSyncExternalStore } from 'react';

/** Modal dialogs that are open, the topmost last. */
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Call it once the dialog is in the top layer. Returns a function for its end. */
export function dialogOpened(dialog: HTMLDialogElement): () => void {
  change([...open, dialog]);
  return () => change(open.filter((each) => each !== dialog));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The topmost open dialog, or null. Anything that must stay reachable is drawn inside it, because a modal dialog makes
 * the rest of the page inert. A dialog opens later than the window asks for it: its script may still be loading.
 */
export function useTopDialog(): HTMLDialogElement | null {
  return useSyncExternalStore(subscribe, () => open.at(-1) ?? null);
}
