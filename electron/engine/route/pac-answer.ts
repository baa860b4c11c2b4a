import { type ProxyAddress, parseProxyUrl } from '../../../shared/format/proxy-url.ts';

/**
 * Proxy schemes for the keywords of PAC files. SOCKS without a version means version 4, and the proxy resolves names.
 */
const SCHEMES: Record<string, string> = {
  proxy: 'http',
  http: 'http',
  https: 'https',
  socks: 'socks4a',
  socks4: 'socks4a',
  socks5: 'socks5h',
};

/** The start of an answer without credentials, which a PAC file should not contain. */
export function shownAnswer(answer: string): string {
  return answer.replace(/\S*@/g, '').slice(0, 200).trim();
}

/**
 * Parses `PROXY a:8080; SOCKS5 b:1080; DIRECT`, in order; null stands for DIRECT, as does an empty answer. Throws an
 * Error for keywords that PAC files don't define.
 */
export function readPacAnswer(answer: string): (ProxyAddress | null)[] {
  const parts = answer
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length === 0) return [null];
  return parts.map((part) => {
    const [word = '', address = ''] = part.split(/\s+/, 2);
    if (word.toLowerCase() === 'direct') return null;
    const scheme = SCHEMES[word.toLowerCase()];
    if (!scheme || address === '') throw new Error(`it returned ${JSON.stringify(shownAnswer(answer))}`);
    return parseProxyUrl(`${scheme}://${address}`);
  });
}
