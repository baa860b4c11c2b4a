/** Texts that one function remembers: sessions repeat few media types, policies and hosts. */
const MOST = 2000;

/** The same function of a text, which computes the result for each text once. */
export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    if (known.size >= MOST) known.clear();
    known.set(text, result);
    return result;
  };
}
