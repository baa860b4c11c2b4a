import { type ProxyAddress, parseProxyUrl } from '../../../shared/format/proxy-url.ts';

/** What a PAC file's words mean here. SOCKS without a number is version 4 there, and names are its to look up. */
const SCHEMES: Record<string, string> = {
  proxy: 'http',
  http: 'http',
  https: 'https',
  socks: 'socks4a',
  socks4: 'socks4a',
  socks5: 'socks5h',
};

/** The beginning of an answer, without logins, which no PAC file should hold. */
export function shownAnswer(answer: string): string {
  return answer.replace(/\S*@/g, '').slice(0, 200).trim();
}

/**
 * Reads `PROXY a:8080; SOCKS5 b:1080; DIRECT`, in order; null stands for DIRECT, and an empty answer is that too. Throws an
 * Error for words that are none of a PAC file's.
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
    if (!scheme || address === '') throw new Error(`it answered ${JSON.stringify(shownAnswer(answer))}`);
    return parseProxyUrl(`${scheme}://${address}`);
  });
}
