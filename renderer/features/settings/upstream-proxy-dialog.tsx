import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogTabs } from '../../ui/dialog-tabs.tsx';
import { useApp } from '../app-context.ts';
import { AuthoritiesTab } from './authorities-tab.tsx';
import { HostsTab } from './hosts-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { ProxyTab } from './proxy-tab.tsx';

const TABS = ['Proxy', 'Hosts', 'Certificates', 'Limits'] as const;

/** Settings of the upstream side: proxy, per-host rules, trusted certificates and limits. */
export function UpstreamProxyDialog() {
  const app = useApp();
  const [tab, setTab] = useState<(typeof TABS)[number]>('Proxy');
  const close = () => app.store.setState({ panel: null });
  return (
    <Dialog title="Upstream" onClose={close}>
      <DialogTabs label="Upstream" names={TABS} selected={tab} onSelect={setTab}>
        {tab === 'Proxy' && <ProxyTab close={close} />}
        {/* The only tab that saves each change at once: it does not close the dialog. */}
        {tab === 'Hosts' && <HostsTab />}
        {tab === 'Certificates' && <AuthoritiesTab close={close} />}
        {tab === 'Limits' && <LimitsTab close={close} />}
      </DialogTabs>
    </Dialog>
  );
}
