/**
 * The headers of every page and file of the UI, on both hosts. Only its own files run or load; bodies of exchanges are
 * untrusted and are shown only as text or as `blob:` and `data:` images.
 *
 * Styles: React sets `style` attributes through the CSSOM, which the policy does not restrict; recharts writes none.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
};

/** `Sec-Fetch-Site` of a page that its user or our own page opened: no other page has a handle on it. */
const OPENED_BY_NO_OTHER: ReadonlySet<unknown> = new Set(['none', 'same-origin']);

/**
 * Over HTTP: no other page keeps a handle on ours. The policy makes Chromium start a second process for the page once
 * it has read this header, which takes 30 ms, and 130 ms in the desktop app. A page that no other page opened, as the
 * browser says (`Sec-Fetch-Site`), does without it; no other page can open the desktop app's.
 */
export function webPageHeaders(fetchSite: unknown): Readonly<Record<string, string>> {
  if (OPENED_BY_NO_OTHER.has(fetchSite)) return PAGE_HEADERS;
  return { ...PAGE_HEADERS, 'cross-origin-opener-policy': 'same-origin' };
}
