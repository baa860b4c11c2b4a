import { OctagonPause } from 'lucide-react';
import { useApp, useWindow } from '../app-context.ts';

/** Shows in the status bar that breakpoints hold messages, and opens and closes their queue. */
export function BreaksEntry() {
  const { store } = useApp();
  const count = useWindow(({ held }) => held.length);
  const isOpen = useWindow(({ breaksOpen }) => breaksOpen);
  if (count === 0 && !isOpen) return null;
  return (
    <button
      type="button"
      className="chip breaks-entry"
      aria-expanded={isOpen}
      title="Messages that wait at breakpoints"
      onClick={() => store.setState({ breaksOpen: !isOpen })}
    >
      <OctagonPause size={13} aria-hidden="true" />
      {count === 1 ? '1 message held' : `${count.toLocaleString('en')} messages held`}
    </button>
  );
}
