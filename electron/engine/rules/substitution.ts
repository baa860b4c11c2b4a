/** What a replacement text takes from a match: the number or the name of a group, or a part of the text. */
type Part = { text: string } | { group: number } | { named: string } | 'before' | 'after';

const TOKEN = /\$(?:([$&`'])|(\d\d?)|<([^>]*)>)/g;

/**
 * The parts of a replacement text, as `String.prototype.replace` reads it (ECMA-262, GetSubstitution). `groups`: how
 * many the regular expression has; `named`: whether one has a name.
 */
function partsOf(replacement: string, groups: number, named: boolean): Part[] {
  const parts: Part[] = [];
  let end = 0;
  const literal = (to: number) => void parts.push({ text: replacement.slice(end, to) });
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(replacement); token !== null; token = TOKEN.exec(replacement)) {
    const [all, sign, digits, name] = token;
    literal(token.index);
    end = token.index + all.length;
    if (sign !== undefined) parts.push(signPart(sign));
    else if (name !== undefined && named) parts.push({ named: name });
    else if (name !== undefined) {
      parts.push({ text: '$<' });
      end = token.index + 2;
    } else {
      const { part, length } = groupPart(digits as string, groups);
      parts.push(part);
      end = token.index + 1 + length;
    }
    TOKEN.lastIndex = end;
  }
  literal(replacement.length);
  return parts;
}

function signPart(sign: string): Part {
  if (sign === '$') return { text: '$' };
  if (sign === '&') return { group: 0 };
  return sign === '`' ? 'before' : 'after';
}

/** `$10` is the first group and a zero if there are fewer than ten. `length`: how many of the digits it takes. */
function groupPart(digits: string, groups: number): { part: Part; length: number } {
  for (const length of [digits.length, 1]) {
    const group = Number(digits.slice(0, length));
    if (group >= 1 && group <= groups) return { part: { group }, length };
  }
  return { part: { text: `$${digits}` }, length: digits.length };
}

/** The arguments of a replacer function. */
type Found = [match: string, ...rest: unknown[]];

function pieceOf(part: Part, found: Found, text: string, groups: number): string {
  if (typeof part === 'object' && 'text' in part) return part.text;
  if (typeof part === 'object' && 'group' in part) return (found[part.group] as string | undefined) ?? '';
  if (typeof part === 'object') return (found.at(-1) as Record<string, string | undefined>)[part.named] ?? '';
  const at = found[groups + 1] as number;
  return part === 'before' ? text.slice(0, at) : text.slice(at + found[0].length);
}

/** Characters that a result may have, and the error for a longer one. */
export interface Bound {
  limit: number;
  tooLarge: () => Error;
}

/**
 * `text.replace(pattern, replacement)`, as long as the result has at most `limit` characters; otherwise throws what
 * `tooLarge` returns. V8 would build up to 512 million characters from a kilobyte: with `$'`, each match can add all of
 * the text after it.
 */
export function substituted(text: string, pattern: RegExp, replacement: string, { limit, tooLarge }: Bound): string {
  // No match can add more: V8's own way is several times as fast.
  if (!replacement.includes('$') && text.length + (text.length + 1) * replacement.length <= limit)
    return text.replace(pattern, replacement);
  const shape = new RegExp(`${pattern.source}|`, pattern.flags).exec('') as RegExpExecArray;
  const groups = shape.length - 1;
  const parts = partsOf(replacement, groups, shape.groups !== undefined);
  let left = limit - text.length;
  return text.replace(pattern, (...found) => {
    const pieces = parts.map((part) => pieceOf(part, found as unknown as Found, text, groups));
    left += found[0].length;
    for (const piece of pieces) left -= piece.length;
    if (left < 0) throw tooLarge();
    return pieces.join('');
  });
}
