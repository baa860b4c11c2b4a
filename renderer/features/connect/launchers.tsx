import { Globe, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import type { Launcher } from '../../../shared/model/client.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, useApp, useWindow } from '../app-context.ts';

/** The typed text as a URL, with https:// by default; null if it is empty or not a URL. */
function addressOf(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const url = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  return URL.canParse(url) ? url : null;
}

/**
 * Buttons that start browsers and terminals that use the proxy and trust the CA. Each gets a separate profile or
 * environment: the user's own browser and shell keep their settings. `launchers`: null while the host looks for them.
 */
export function Launchers({ launchers }: { launchers: readonly Launcher[] | null }) {
  const app = useApp();
  const [address, setAddress] = useState('');
  // Buttons stay disabled until the proxy listens: without it, a browser would show only errors.
  const listening = useWindow((state) => (state.engine?.proxyUrl ?? '') !== '');
  if (launchers === null) return <p className="muted">Looking for browsers…</p>;
  const browsers = launchers.filter(({ kind }) => kind === 'browser');
  const launch = (launcher: string) =>
    void attempt(app, () => app.api.request('clients.launch', { launcher, url: addressOf(address) }));
  return (
    <>
      {browsers.length > 0 ? (
        <label className="field">
          <span className="sr-only">Address to open</span>
          <input
            type="text"
            aria-label="Address to open"
            value={address}
            spellCheck={false}
            placeholder="Address to open (optional), e.g. example.com"
            onChange={(event) => setAddress(event.target.value)}
          />
        </label>
      ) : (
        <p className="muted">No Chrome, Chromium, Edge, Brave or Firefox found.</p>
      )}
      <div className="buttons">
        {launchers.map((launcher, index) => (
          <LaunchButton
            key={launcher.id}
            launcher={launcher}
            isFirst={index === 0}
            disabled={!listening}
            launch={() => launch(launcher.id)}
          />
        ))}
      </div>
    </>
  );
}

interface LaunchButtonProps {
  launcher: Launcher;
  /** The first browser is the dialog's main action. */
  isFirst: boolean;
  /** The proxy does not listen. */
  disabled: boolean;
  launch: () => void;
}

function LaunchButton({ launcher: { kind, name, path }, isFirst, disabled, launch }: LaunchButtonProps) {
  const isBrowser = kind === 'browser';
  return (
    <Button
      icon={isBrowser ? Globe : SquareTerminal}
      tone={isFirst && isBrowser ? 'primary' : 'plain'}
      title={path}
      disabled={disabled}
      onClick={launch}
    >
      Open {name}
    </Button>
  );
}
