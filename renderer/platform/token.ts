/** The key in sessionStorage, which other tabs can't read. */
const KEY = 'roundtrip.token';

/**
 * The web host's token. It arrives in the URL's fragment, which is never sent to a server. It is kept for this tab
 * only, and removed from the address bar, where a screenshot or bookmark could carry it away. Empty: there is none.
 */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return sessionStorage.getItem(KEY) ?? '';
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}
