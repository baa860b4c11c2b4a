/** How a browser is configured for a proxy and a CA. */
export type BrowserFamily = 'chromium' | 'firefox';

export interface KnownBrowser {
  id: string;
  name: string;
  family: BrowserFamily;
  /** Command names, looked up in PATH. */
  linux: readonly string[];
  /** The snap package's name, and the flatpak's. */
  snap?: string;
  flatpak?: string;
  /** Below /Applications or ~/Applications. */
  darwin: readonly string[];
  /** Below Program Files or the user's local application data. */
  win32: readonly string[];
}

export const KNOWN_BROWSERS: readonly KnownBrowser[] = [
  {
    id: 'chrome',
    name: 'Google Chrome',
    family: 'chromium',
    linux: ['google-chrome-stable', 'google-chrome'],
    flatpak: 'com.google.Chrome',
    darwin: ['Google Chrome.app/Contents/MacOS/Google Chrome'],
    win32: ['Google\\Chrome\\Application\\chrome.exe'],
  },
  {
    id: 'chromium',
    name: 'Chromium',
    family: 'chromium',
    linux: ['chromium', 'chromium-browser'],
    snap: 'chromium',
    flatpak: 'org.chromium.Chromium',
    darwin: ['Chromium.app/Contents/MacOS/Chromium'],
    win32: ['Chromium\\Application\\chrome.exe'],
  },
  {
    id: 'edge',
    name: 'Microsoft Edge',
    family: 'chromium',
    linux: ['microsoft-edge-stable', 'microsoft-edge'],
    flatpak: 'com.microsoft.Edge',
    darwin: ['Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
    win32: ['Microsoft\\Edge\\Application\\msedge.exe'],
  },
  {
    id: 'brave',
    name: 'Brave',
    family: 'chromium',
    linux: ['brave-browser-stable', 'brave-browser', 'brave'],
    snap: 'brave',
    flatpak: 'com.brave.Browser',
    darwin: ['Brave Browser.app/Contents/MacOS/Brave Browser'],
    win32: ['BraveSoftware\\Brave-Browser\\Application\\brave.exe'],
  },
  {
    id: 'vivaldi',
    name: 'Vivaldi',
    family: 'chromium',
    linux: ['vivaldi-stable', 'vivaldi'],
    flatpak: 'com.vivaldi.Vivaldi',
    darwin: ['Vivaldi.app/Contents/MacOS/Vivaldi'],
    win32: ['Vivaldi\\Application\\vivaldi.exe'],
  },
  {
    id: 'firefox',
    name: 'Firefox',
    family: 'firefox',
    linux: ['firefox', 'firefox-esr'],
    snap: 'firefox',
    flatpak: 'org.mozilla.firefox',
    darwin: ['Firefox.app/Contents/MacOS/firefox'],
    win32: ['Mozilla Firefox\\firefox.exe'],
  },
];

/** The id without its packaging: `firefox` for `firefox-snap`. */
export function kindOf(id: string): string {
  return id.replace(/-(snap|flatpak)$/, '');
}

/** `id`: from `findBrowsers`. An unknown browser, from CHROME_PATH, is assumed to be based on Chromium. */
export function familyOf(id: string): BrowserFamily {
  return KNOWN_BROWSERS.find((browser) => browser.id === kindOf(id))?.family ?? 'chromium';
}
