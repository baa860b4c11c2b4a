/**
 * Whether a text has `wanted` in it, case-insensitive. With a `*` it must fit from end to end, `*` standing for
 * anything; `wholeGlob: false` lets it fit anywhere.
 */
export function globOrPart(wanted: string, options: { wholeGlob?: boolean } = {}): (text: string) => boolean {
  const fits = globOrPartOfLower(wanted, options);
  return (text) => fits(text.toLowerCase());
}

/** The same for a text that is already in lower case. */
export function globOrPartOfLower(wanted: string, { wholeGlob = true } = {}): (text: string) => boolean {
  const lower = wanted.toLowerCase();
  if (!lower.includes('*')) return (text) => text.includes(lower);
  const split = lower.split('*');
  const parts = wholeGlob ? split : ['', ...split, ''];
  return (text) => fitsGlob(text, parts);
}

/** Handwritten, in one pass: a regular expression with many `*` takes exponential time on a hostile text. */
function fitsGlob(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  const last = parts[parts.length - 1] ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
