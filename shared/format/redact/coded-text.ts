/**
 * A character as a code, in HTML, in a string of JavaScript or JSON (also inside another one, which doubles its
 * backslashes), or in a URL. The repetitions have limits: a hostile body has millions of backslashes.
 */
const CODE = new RegExp(
  [
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/,
    /\\{1,4}(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([/"'`]))/,
    /%([2-7][0-9a-f])|&([a-z]{2,6});/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);
const HAS_CODE = /&[#a-z]|\\[ux/"'`]|%[2-7]/i;

const NAMES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", plus: '+', equals: '=', sol: '/' },
  ...{ colon: ':', period: '.', lowbar: '_', semi: ';', comma: ',', commat: '@', num: '#', excl: '!', dollar: '$' },
};
const LAST_CHARACTER = 0x10ffff;

/** A text in which codes are characters. */
export interface DecodedText {
  text: string;
  /** The place in the coded text of the character at this place. Ask in ascending order. */
  placeOf: (at: number) => number;
}

/** Null: the text has no codes. Which characters a program writes as codes, and how, is its own choice. */
export function decodeCodes(coded: string): DecodedText | null {
  if (!HAS_CODE.test(coded)) return null;
  const parts: string[] = [];
  /** For each code: where its character is, and how far the coded text is ahead behind it. */
  const places: number[] = [];
  const leads: number[] = [];
  let [from, length, lead] = [0, 0, 0];
  CODE.lastIndex = 0;
  for (let match = CODE.exec(coded); match !== null; match = CODE.exec(coded)) {
    const character = characterOf(match);
    if (character === null) continue;
    parts.push(coded.slice(from, match.index), character);
    length += match.index - from + character.length;
    from = match.index + match[0].length;
    lead = from - length;
    places.push(length);
    leads.push(lead);
  }
  if (places.length === 0) return null;
  return { text: parts.join('') + coded.slice(from), placeOf: placesOf(places, leads) };
}

function placesOf(places: readonly number[], leads: readonly number[]): DecodedText['placeOf'] {
  let next = 0;
  return (at) => {
    while ((places[next] ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return at + (leads[next - 1] ?? 0);
  };
}

function characterOf([, html, decimal, point, unit, byte, plain, percent, name]: RegExpExecArray): string | null {
  if (plain !== undefined) return plain;
  if (name !== undefined) return NAMES[name.toLowerCase()] ?? null;
  const hex = html ?? point ?? unit ?? byte ?? percent;
  const value = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (value > LAST_CHARACTER) return null;
  // Half a character is a unit: its other half follows.
  return unit === undefined ? String.fromCodePoint(value) : String.fromCharCode(value);
}
