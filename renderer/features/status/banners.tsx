import { AlertTriangle, Unplug } from 'lucide-react';
import { useWindow } from '../app-context.ts';

/** What stops the whole window from working, and what to do. */
export function Banners() {
  const lost = useWindow((state) => !state.connected && state.everConnected);
  const refused = useWindow((state) => !state.connected && !state.everConnected);
  const engine = useWindow((state) => state.engine);
  if (lost || refused) {
    return (
      <div className="banner" role="alert">
        <Unplug size={15} aria-hidden="true" />
        {lost
          ? 'The host is gone. What it recorded is in its session file; this window connects again by itself.'
          : 'Connecting to Roundtrip. If this stays, open the address that it printed once more.'}
      </div>
    );
  }
  if (engine?.failure) {
    return (
      <div className="banner bad" role="alert">
        <AlertTriangle size={15} aria-hidden="true" />
        <b>{engine.failure.code}</b> {engine.failure.message}
      </div>
    );
  }
  return null;
}
