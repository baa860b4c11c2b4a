import { shared } from './shared-text.ts';

/** Second-level labels that stand for a public suffix below a country: `co.uk`, `com.au`. */
const SECOND = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org']);

/** Sites that are remembered: a session has few, and looks them up several times per exchange. */
const MOST = 5000;
const sites = new Map<string, string>();

/**
 * The site of an origin or URL, about as the public suffix list would have it: the last two labels, or three below
 * `co.uk` and similar suffixes. An address is its own site.
 */
export function siteOf(url: string): string {
  const known = sites.get(url);
  if (known !== undefined) return known;
  const site = shared(labelsOf(url));
  if (sites.size >= MOST) sites.clear();
  sites.set(url, site);
  return site;
}

function labelsOf(url: string): string {
  const host = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (/^\[|^[\d.]+$/.test(host)) return host;
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && SECOND.has(second) ? -3 : -2).join('.');
}
