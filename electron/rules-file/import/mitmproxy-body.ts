import { NoEquivalent } from './imported.ts';

/** A mitmproxy regular expression, in which a dot also matches line ends, converted to JavaScript. */
export function bodyPattern(source: string): string {
  // Escapes and classes stay; `[^]` is any character.
  const pattern = source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^]' : part));
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw new NoEquivalent(`the regular expression ${JSON.stringify(source)} is not valid in JavaScript`);
  }
  return pattern;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\\\': '\\' };

/** Python's `\1` and `\g<1>` as JavaScript's `$1`, and its escapes as the characters that they represent. */
export function bodyReplacement(template: string): string {
  return template.replaceAll('$', '$$$$').replace(/\\(?:g<(\d+)>|([1-9]\d?)|.?)/gs, (part, long, short) => {
    const group = long ?? short;
    // Two digits: a digit after them belongs to the text.
    if (group !== undefined) return Number(group) === 0 ? '$&' : `$${group.padStart(2, '0')}`;
    const text = ESCAPES[part];
    if (text === undefined) throw new NoEquivalent(`the escape ${part} in the replacement has no equivalent`);
    return text;
  });
}
