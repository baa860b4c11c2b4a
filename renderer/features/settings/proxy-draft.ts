import { parseProxyUrl } from '../../../shared/format/proxy-url.ts';
import type { Settings } from '../../../shared/model/settings.ts';

/** What the form holds: the settings about the proxy as texts. */
export interface ProxyDraft {
  source: 'none' | Settings['proxySource'];
  url: string;
  pac: string;
  user: string;
  password: string;
  /** One entry a line. */
  bypass: string;
}

export function draftOf({ upstreamProxy, proxySource, proxyPac, proxyLogin, proxyBypass }: Settings): ProxyDraft {
  return {
    source: upstreamProxy.enabled ? proxySource : 'none',
    url: upstreamProxy.url,
    pac: proxyPac,
    ...proxyLogin,
    bypass: proxyBypass.join('\n'),
  };
}

/** `before`: what stays where the draft says nothing about it. */
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

/** What is wrong with the draft, or null. The host has the last word. */
export function problemOf({ source, url, pac }: ProxyDraft): string | null {
  if (source === 'pac' && pac.trim() === '') return 'Enter the URL or the path of the PAC file.';
  if (source !== 'manual') return null;
  if (url.trim() === '') return 'Enter an address, like http://proxy.example:3128.';
  try {
    parseProxyUrl(url);
    return null;
  } catch (error) {
    return `This can't be used: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** `host:port` of a target as it was typed: the scheme and the path go, 443 is added; null where it is none. */
export function targetOf(text: string): string | null {
  const found = /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^\s/:@]+)(?::(\d{1,5}))?(?:\/.*)?$/i.exec(text.trim());
  return found ? `${found[1]}:${found[2] ?? 443}` : null;
}
