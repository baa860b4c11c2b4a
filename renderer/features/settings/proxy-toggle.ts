import type { Settings } from '../../../shared/model/settings.ts';
import { showToast } from '../../state/window-state.ts';
import { updateSettings } from '../actions.ts';
import { type App, attempt } from '../app-context.ts';
import { targetOf } from './proxy-draft.ts';
import { lastHost } from './proxy-target.ts';
import { foundSentence } from './test-result.tsx';

/** Whether there is a proxy to turn on. The system and WPAD sources need no address; the others do. */
export function isConfigured({ upstreamProxy, proxySource, proxyPac }: Settings): boolean {
  if (proxySource === 'system' || proxySource === 'wpad') return true;
  return proxySource === 'pac' ? proxyPac !== '' : upstreamProxy.url !== '';
}

/** Tests the configured proxy and turns it on if a tunnel through it works. A toast shows the result either way. */
export async function turnProxyOn(app: App): Promise<void> {
  const { settings } = app.store.getState();
  const on = { upstreamProxy: { ...settings.upstreamProxy, enabled: true } };
  const target = targetOf(lastHost(app)) ?? 'example.com:443';
  const found = await attempt(app, () => app.api.request('proxy.test', { settings: on, target }));
  if (!found) return;
  const say = foundSentence(found);
  if (found.state === 'works') {
    if (await updateSettings(app, on)) showToast(app.store, { tone: 'done', code: null, message: say, link: null });
    return;
  }
  const why = found.failure?.message ?? '';
  const tried = found.state === 'answers' ? ` Tested with ${target}.` : '';
  showToast(app.store, {
    tone: 'error',
    code: found.failure?.code ?? null,
    message: `The upstream proxy stays off. ${say}${tried} ${why}`.trimEnd(),
    link: null,
    // The test may fail for a target that this proxy forbids: the user can override it.
    action: { label: 'Use anyway', run: () => void updateSettings(app, on) },
  });
}
