/** The decisive fields, by lower-case name. */
export interface NavigationFields {
  readonly 'sec-fetch-dest'?: string;
  readonly 'sec-fetch-mode'?: string;
}

/** What tells a speculative request, by lower-case name. */
export interface PurposeFields {
  readonly 'sec-purpose'?: string;
  readonly purpose?: string;
}

/** A browser asked in advance for what the user may want: `prefetch`, `prefetch;prerender` (Fetch, "Sec-Purpose"). */
export function isSpeculative(request: PurposeFields): boolean {
  return `${request['sec-purpose'] ?? ''}${request.purpose ?? ''}`.includes('prefetch');
}

/**
 * Whether a browser requested a page, not a frame or a part of it; null if the request does not show it (Fetch
 * Metadata, section 2). A service worker that forwards a navigation keeps only its mode: frames look the same then, but
 * pages are far more frequent.
 */
export function navigates(request: NavigationFields): boolean | null {
  const destination = request['sec-fetch-dest'];
  if (destination === undefined) return null;
  return destination === 'document' || (destination === 'empty' && request['sec-fetch-mode'] === 'navigate');
}
