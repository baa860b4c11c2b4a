/** Texts that are remembered, and characters of the longest: user agents and policies are shorter. */
const MOST = 20_000;
const LONGEST = 256;
const texts = new Map<string, string>();

/**
 * The same string object for equal texts. Facts repeat few texts, 100,000 times each: shared ones take a third of the
 * memory, and as keys of a map they are hashed once.
 */
export function shared(text: string): string {
  if (text.length > LONGEST) return copyOf(text);
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST) texts.clear();
  const copy = copyOf(text);
  texts.set(copy, copy);
  return copy;
}

/** V8 keeps a text in memory as long as any slice of it: this is the slice alone. */
export function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}
