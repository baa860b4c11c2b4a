import { parseProxyUrl } from '../../../shared/format/proxy-url.ts';
import type { Settings } from '../../../shared/model/settings.ts';

/** The form's state: the proxy settings as input texts. */
export interface ProxyDraft {
  /** `none` stands for `upstreamProxy.enabled: false`; the settings keep their source meanwhile. */
  source: 'none' | Settings['proxySource'];
  url: string;
  pac: string;
  user: string;
  password: string;
  /** One entry per line. */
  bypass: string;
}

/** The form's texts for saved settings. */
export function draftOf({ upstreamProxy, proxySource, proxyPac, proxyLogin, proxyBypass }: Settings): ProxyDraft {
  return {
    source: upstreamProxy.enabled ? proxySource : 'none',
    url: upstreamProxy.url,
    pac: proxyPac,
    ...proxyLogin,
    bypass: proxyBypass.join('\n'),
  };
}

/**
 * The settings that the draft changes. `before` supplies the source when the draft turns the proxy off: turning
 * it on again restores the same source. The password is dropped with its user.
 */
export function settingsOf(draft: ProxyDraft, before: Settings): Partial<Settings> {
  const { source, url, pac, user, password, bypass } = draft;
  return {
    upstreamProxy: { enabled: source !== 'none', url: url.trim() },
    proxySource: source === 'none' ? before.proxySource : source,
    proxyPac: pac.trim(),
    proxyLogin: { user: user.trim(), password: user.trim() === '' ? '' : password },
    proxyBypass: bypass.split(/[\s,;]+/).filter(Boolean),
  };
}

/** An error message for the draft, or null. The host validates the settings again when they are saved. */
export function problemOf({ source, url, pac }: ProxyDraft): string | null {
  if (source === 'pac' && pac.trim() === '') return 'Enter the URL or path of the PAC file.';
  if (source !== 'manual') return null;
  if (url.trim() === '') return 'Enter an address, for example http://proxy.example:3128.';
  try {
    parseProxyUrl(url);
    return null;
  } catch (error) {
    return `Invalid address: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** `host:port` of the typed target, without scheme and path; the port defaults to 443. Null if it is not a host. */
export function targetOf(text: string): string | null {
  const found = /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^\s/:@]+)(?::(\d{1,5}))?(?:\/.*)?$/i.exec(text.trim());
  return found ? `${found[1]}:${found[2] ?? 443}` : null;
}
