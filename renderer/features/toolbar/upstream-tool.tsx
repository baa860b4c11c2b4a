import { ChevronDown, Route } from 'lucide-react';
import { useState } from 'react';
import type { Settings } from '../../../shared/model/settings.ts';
import { ToolButton } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { isConfigured, turnProxyOn } from '../settings/proxy-toggle.ts';
import { isHostKnown, Switch } from './switch.tsx';

/** The button's tooltip: the current route and what a click changes. */
function wayTitle(settings: Settings): string {
  const { upstreamProxy, proxySource, proxyPac } = settings;
  if (!isConfigured(settings)) return 'Send requests through an upstream proxy';
  const where = {
    manual: upstreamProxy.url,
    system: 'the system proxy',
    pac: `the PAC file ${proxyPac}`,
    wpad: 'the PAC file of this network',
  }[proxySource];
  return upstreamProxy.enabled
    ? `Using ${where}. Click to connect directly.`
    : `Connecting directly. Click to test and use ${where}.`;
}

/**
 * Turns the configured upstream proxy on and off; the arrow opens its settings, and so does the button if no proxy is
 * configured. The proxy is tested before it is turned on, because a broken one would make every request fail.
 */
export function UpstreamTool() {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [testing, setTesting] = useState(false);
  const known = useWindow(isHostKnown);
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
      <Switch
        label="Upstream proxy"
        text={testing ? 'Testing proxy' : 'Upstream proxy'}
        icon={Route}
        pressed={upstreamProxy.enabled}
        title={testing ? 'Testing the proxy before it is used' : wayTitle(settings)}
        onClick={click}
      />
      <ToolButton
        label="Proxy settings"
        icon={ChevronDown}
        iconOnly
        title="Upstream settings"
        disabled={!known}
        onClick={open}
      />
    </span>
  );
}
