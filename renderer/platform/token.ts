const KEY = 'roundtrip.token';

/**
 * The web host's token: it comes in the address's fragment, which no server sees, is kept for this tab, and leaves the
 * address bar, so that no screenshot or bookmark carries it.
 */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return sessionStorage.getItem(KEY) ?? '';
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}
