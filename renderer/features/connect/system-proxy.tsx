import { MonitorCog, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { SystemProxyStatus } from '../../../shared/model/proxy/system-proxy.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { type App, attempt, useApp, useWindow } from '../app-context.ts';

async function set(app: App, on: boolean): Promise<void> {
  const status = await attempt(app, () => app.api.request('system-proxy.set', { on }));
  if (status) app.store.setState({ systemProxy: status });
}

function sentenceOf({ state, label, detail }: SystemProxyStatus): string {
  switch (state) {
    case 'on':
      return `${label} sends every program here. What it was set to comes back when you turn this off, quit, or Roundtrip crashes.`;
    case 'overruled':
      return `Something changed ${label}’s proxy since it was set from here (now: ${detail}). That is left as it is.`;
    case 'unavailable':
      return `${detail[0]?.toUpperCase()}${detail.slice(1)}.`;
    default:
      return `Sends the programs that follow ${label}’s proxy here, and leaves those that don’t. It is ${detail} now.`;
  }
}

/** One toggle for the proxy of the whole system. */
export function SystemProxySection() {
  const app = useApp();
  const status = useWindow((state) => state.systemProxy);
  const [busy, setBusy] = useState(false);
  if (status === null) return null;
  const on = status.state === 'on' || status.state === 'overruled';
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
            {on ? 'Put it back' : 'Set to Roundtrip'}
          </Button>
        )}
      </div>
    </PanelSection>
  );
}

/** While the whole system comes through here, a line says so and ends it. */
export function SystemProxyBanner() {
  const app = useApp();
  const status = useWindow((state) => state.systemProxy);
  if (status === null || (status.state !== 'on' && status.state !== 'overruled')) return null;
  return (
    <div className="banner" role="status">
      <MonitorCog size={15} aria-hidden="true" />
      {status.state === 'on'
        ? `${status.label}’s proxy is Roundtrip: every program that follows it comes through here.`
        : `${status.label}’s proxy was set to Roundtrip, and changed since.`}
      <span className="spring" />
      <Button tone="quiet" icon={Undo2} onClick={() => void set(app, false)}>
        Put it back
      </Button>
    </div>
  );
}
