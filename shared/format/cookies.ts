import { allHeaders, type RawHeaders } from '../model/headers.ts';
import type { HarCookie } from './har-types.ts';

/** Cookies that a request sent (RFC 6265, section 4.2). */
export function requestCookies(headers: RawHeaders): HarCookie[] {
  return allHeaders(headers, 'cookie')
    .flatMap((value) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map(nameAndValue);
}

/** Cookies that a response set (RFC 6265, section 4.1). */
export function responseCookies(headers: RawHeaders): HarCookie[] {
  return allHeaders(headers, 'set-cookie').map(setCookie);
}

function setCookie(header: string): HarCookie {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const cookie = nameAndValue(pair);
  for (const attribute of attributes) apply(cookie, nameAndValue(attribute));
  return cookie;
}

function apply(cookie: HarCookie, { name, value }: HarCookie): void {
  switch (name.toLowerCase()) {
    case 'path':
      cookie.path = value;
      break;
    case 'domain':
      cookie.domain = value;
      break;
    case 'samesite':
      cookie.sameSite = value;
      break;
    case 'httponly':
      cookie.httpOnly = true;
      break;
    case 'secure':
      cookie.secure = true;
      break;
    case 'expires': {
      const time = Date.parse(value);
      if (!Number.isNaN(time)) cookie.expires = new Date(time).toISOString();
    }
  }
}

function nameAndValue(pair: string): HarCookie {
  const equals = pair.indexOf('=');
  if (equals < 0) return { name: pair, value: '' };
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}
