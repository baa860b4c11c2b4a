import { MonitorCog, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { SystemProxyStatus } from '../../../shared/model/proxy/system-proxy.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { type App, attempt, useApp, useWindow } from '../app-context.ts';

/** Keeps the host's reply, not the requested value: another program may have changed the setting. */
async function set(app: App, on: boolean): Promise<void> {
  const status = await attempt(app, () => app.api.request('system-proxy.set', { on }));
  if (status) app.store.setState({ systemProxy: status });
}

/** The state in a sentence. `detail` is the current setting, or the reason why it can't be set. */
function sentenceOf({ state, label, detail }: SystemProxyStatus): string {
  switch (state) {
    case 'on':
      return (
        `${label} sends programs to Roundtrip. Its previous settings are restored when you turn this off, quit, or ` +
        'Roundtrip crashes.'
      );
    case 'overruled':
      return (
        `Another program changed the ${label} proxy after Roundtrip set it (now: ${detail}). Roundtrip leaves that ` +
        'unchanged.'
      );
    case 'unavailable':
      return `${detail[0]?.toUpperCase()}${detail.slice(1)}.`;
    default:
      return `Routes programs that use the ${label} proxy through Roundtrip. Current setting: ${detail}.`;
  }
}

/**
 * Sets the system proxy to Roundtrip, or restores it. Shows nothing until the host has reported the current setting.
 */
export function SystemProxySection() {
  const app = useApp();
  const status = useWindow((state) => state.systemProxy);
  const [busy, setBusy] = useState(false);
  if (status === null) return null;
  // Overridden counts as on: the user can still restore what was set before.
  const on = status.state === 'on' || status.state === 'overruled';
  // Disabled meanwhile: the host runs the system's own tools.
  const change = () => {
    setBusy(true);
    void set(app, !on).finally(() => setBusy(false));
  };
  return (
    <PanelSection title="System proxy">
      <div className="form-line spread">
        <small>{sentenceOf(status)}</small>
        {status.state !== 'unavailable' && (
          <Button icon={on ? Undo2 : MonitorCog} disabled={busy} onClick={change}>
            {on ? 'Restore' : 'Set to Roundtrip'}
          </Button>
        )}
      </div>
    </PanelSection>
  );
}

/**
 * Shown while the system proxy is Roundtrip, with a button that restores it. As a status it is read when it appears,
 * without taking the focus (WCAG 4.1.3).
 */
export function SystemProxyBanner() {
  const app = useApp();
  const status = useWindow((state) => state.systemProxy);
  if (status === null || (status.state !== 'on' && status.state !== 'overruled')) return null;
  return (
    <div className="banner" role="status">
      <MonitorCog size={15} aria-hidden="true" />
      {status.state === 'on'
        ? `The ${status.label} proxy is set to Roundtrip. Programs that use it are captured.`
        : `The ${status.label} proxy was set to Roundtrip and has changed since.`}
      <span className="spring" />
      <Button tone="quiet" icon={Undo2} onClick={() => void set(app, false)}>
        Restore
      </Button>
    </div>
  );
}
