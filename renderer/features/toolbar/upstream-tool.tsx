import { ChevronDown, Route } from 'lucide-react';
import { useState } from 'react';
import type { Settings } from '../../../shared/model/settings.ts';
import { ToolButton } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { isConfigured, turnProxyOn } from '../settings/proxy-toggle.ts';

function wayTitle(settings: Settings): string {
  const { upstreamProxy, proxySource, proxyPac } = settings;
  if (!isConfigured(settings)) return 'Send everything through another proxy';
  const where = {
    manual: upstreamProxy.url,
    system: "what the system's settings say",
    pac: `what ${proxyPac} says`,
    wpad: 'what the PAC file of this network says',
  }[proxySource];
  return upstreamProxy.enabled
    ? `Through ${where}. Click to go straight to the origins.`
    : `Straight to the origins. Click to try ${where}, and to go through it.`;
}

/** Turns the proxy that is set on and off; its settings are behind the arrow, or behind the whole where none is set. */
export function UpstreamTool() {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [testing, setTesting] = useState(false);
  const { upstreamProxy } = settings;
  const open = () => app.store.setState({ panel: 'proxy' });
  const turnOn = async () => {
    setTesting(true);
    await turnProxyOn(app);
    setTesting(false);
  };
  const click = () => {
    if (testing) return;
    if (upstreamProxy.enabled) void updateSettings(app, { upstreamProxy: { ...upstreamProxy, enabled: false } });
    else if (isConfigured(settings)) void turnOn();
    else open();
  };
  return (
    <span className="tool-pair">
      <ToolButton
        label="Upstream proxy"
        text={testing ? 'Trying the proxy' : 'Upstream proxy'}
        icon={Route}
        pressed={upstreamProxy.enabled}
        title={testing ? 'Trying the proxy before it is in force' : wayTitle(settings)}
        onClick={click}
      />
      <ToolButton label="Proxy settings" icon={ChevronDown} iconOnly title="Which proxy, and for whom" onClick={open} />
    </span>
  );
}
