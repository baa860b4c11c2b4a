/** Texts that are remembered, and characters of the longest: user agents and policies are shorter. */
const MOST = 20_000;
const LONGEST = 256;
const texts = new Map<string, string>();

/**
 * The same string object for equal texts. Facts repeat few texts, 100,000 times each: shared ones take a third of the
 * memory, and as keys of a map they are hashed once.
 */
export function shared(text: string): string {
  if (text.length > LONGEST) return text;
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MOST) texts.clear();
  texts.set(text, text);
  return text;
}
