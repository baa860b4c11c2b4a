import { urlEncoded } from './curl-body.ts';
import { nameOfFile } from './file-name.ts';

/** A URL as curl sends it. `login`: what it has before `@`, decoded; null: nothing. */
export interface CurlUrl {
  url: string;
  login: string | null;
}

/**
 * Reads the URL of a command. `queries`: text that follows its query, encoded. `upload`: the file that is uploaded.
 * `isLiteral`: `-g` is given, and backslashes stay. Otherwise they hide brackets from curl; Chrome writes such URLs.
 */
export function curlUrl(given: string, queries: readonly string[], upload: string, isLiteral: boolean): CurlUrl {
  const plain = isLiteral ? given : given.replace(/\\([[\]{}])/g, '$1');
  // curl assumes http where a URL has no scheme, and never sends a fragment.
  const named = /^[a-z]+:\/\//i.test(plain) ? plain : `http://${plain}`;
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^([a-z]+:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(named) ?? [];
  const at = authority.lastIndexOf('@');
  const all = queries.reduce((before, next) => `${before}${/[?&]$/.test(before) ? '' : '&'}${next}`, query || '?');
  return {
    url: `${scheme}${authority.slice(at + 1)}${withFileName(path, upload)}${queries.length > 0 ? all : query}`,
    login: at < 0 ? null : decoded(authority.slice(0, at)),
  };
}

/** What `--url-query` adds to a URL. Behind a plus sign, it is encoded already. */
export function urlQuery(value: string): string {
  return value.startsWith('+') ? value.slice(1) : urlEncoded(value);
}

/** curl uploads a file under its name where the URL ends in a folder. */
function withFileName(path: string, file: string): string {
  if (file === '' || (path !== '' && !path.endsWith('/'))) return path;
  return `${path === '' ? '/' : path}${encodeURIComponent(nameOfFile(file))}`;
}

function decoded(login: string): string {
  try {
    return decodeURIComponent(login);
  } catch {
    return login;
  }
}
