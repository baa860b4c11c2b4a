import type { RequestMessage } from '../../../shared/model/message.ts';
import { PartFault } from './imported.ts';

export type Target = Pick<RequestMessage, 'scheme' | 'authority' | 'host' | 'port' | 'path'>;

const MOST_PORTS = 65_535;
const BEYOND_ASCII = /[^\0-\x7f]+/g;
const PORTS = { http: 80, https: 443 } as const;

/**
 * The parts of an absolute URL. Its path stays as written, except that characters beyond ASCII become UTF-8 in percent
 * codes: Charles and mitmproxy write some of them decoded, and a recorded path has a character for each byte. Throws
 * `PartFault` for any other scheme than HTTP's.
 */
export function targetOf(url: string): Target {
  const [, name = '', authority = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  const scheme = { http: 'http', ws: 'http', https: 'https', wss: 'https' }[name.toLowerCase()];
  if (scheme !== 'http' && scheme !== 'https') throw new PartFault(`Its URL ${shortened(url)} is not an HTTP URL.`);
  const bare = authority.slice(authority.lastIndexOf('@') + 1);
  const place = placeOf(bare, scheme);
  if (place.host === '') throw new PartFault(`Its URL ${shortened(url)} has no host.`);
  if (place.port > MOST_PORTS) throw new PartFault(`Its URL ${shortened(url)} has an invalid port.`);
  const path = rest.replace(BEYOND_ASCII, (text) => encodeURIComponent(Buffer.from(text).toString()));
  return { scheme, ...place, path: path.startsWith('/') ? path : `/${path}` };
}

/** Host, port and authority (without the scheme's own port) of `a.test:8443` or `[::1]`. */
function placeOf(place: string, scheme: 'http' | 'https'): Pick<Target, 'authority' | 'host' | 'port'> {
  const [, host = place, digits = ''] = /^(.*?)(?::(\d*))?$/.exec(place) ?? [];
  const port = digits === '' ? PORTS[scheme] : Number(digits);
  return { host: host.replace(/^\[|\]$/g, ''), port, authority: port === PORTS[scheme] ? host : place };
}

function shortened(url: string): string {
  return JSON.stringify(url.length > 80 ? `${url.slice(0, 77)}...` : url);
}
