/** As the desktop app loads the page again after its process ended. */
const MARK = '#page-ended';

/** Whether this page replaces one that crashed. Later reloads in the same window are the user's. */
export function takePageCrash(): boolean {
  if (location.hash !== MARK) return false;
  history.replaceState(null, '', location.pathname + location.search);
  return true;
}
