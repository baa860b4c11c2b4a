import { CHECK_DOMAIN, CHECK_PATH } from '../../../shared/model/capture-check.ts';
import { isLoopback } from '../route/own-addresses.ts';

const HOST = new RegExp(`^([0-9a-f]{32})\\.${CHECK_DOMAIN.replaceAll('.', '\\.')}$`, 'i');
const TOKEN = /^[0-9a-f]{32}$/;

/** The token in a check's host name; null for any other host. */
export function tokenOfHost(host: string): string | null {
  // Cheap for other hosts, because this runs for every exchange.
  return host.endsWith(CHECK_DOMAIN) ? (HOST.exec(host)?.[1]?.toLowerCase() ?? null) : null;
}

/** The token of a loopback check, or null. */
export function tokenOfLoopback(host: string, path: string): string | null {
  if (!path.startsWith(CHECK_PATH) || !isLoopback(host)) return null;
  const token = path.slice(CHECK_PATH.length);
  return TOKEN.test(token) ? token : null;
}
