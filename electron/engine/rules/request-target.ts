/** Percent-encoded. A lone surrogate, which has no encoding, becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

/** Characters of a changed path and query. Servers refuse far shorter ones. */
export const TARGET_LIMIT = 1024 * 1024;

/**
 * A path and query after a change, in a form that a request line can carry: a line of HTTP/1.1 ends a target at a
 * space, and a line feed in it would begin another field or request (RFC 9112, sections 3.2 and 11.2). `before`: the
 * received path, which may hold bytes above 0x7f; they stay.
 */
export function requestTarget(changed: string, before = ''): string {
  if (changed === before) return changed;
  const foreign = /[\x80-\xff]/.test(before) ? /[^\x21-\x7e\x80-\xff]+/g : /[^\x21-\x7e]+/g;
  const target = changed.replace(foreign, percentEncoded);
  return target.startsWith('/') ? target : `/${target}`;
}
