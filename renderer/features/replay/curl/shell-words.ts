/** The shells whose commands can be read. */
export type Shell = 'bash' | 'cmd' | 'powershell';

/** The shell that a command was written for, by the marks that only it has. */
export function shellOf(command: string): Shell {
  // Behind a blank: inside of a word, bash keeps a caret as it is.
  if (/[ \t]\^(?:"|\r?\n)/.test(command)) return 'cmd';
  if (/`\r?\n|^\s*curl\.exe\b/.test(command)) return 'powershell';
  return 'bash';
}

/** Splits a command into its words, as that shell would. Variables and substitutions stay as they are written. */
export function shellWords(command: string, shell: Shell): string[] {
  if (shell === 'cmd') return split(withoutCarets(command), CMD);
  return split(command, shell === 'bash' ? BASH : POWERSHELL);
}

/** One kind of piece: what it matches at a place, and its text. A piece that is null separates words. */
type Piece = [pattern: RegExp, text: ((match: string) => string) | null];

/** The end of a continued line: a backslash, or PowerShell's backtick. */
const CONTINUATION = /^[\\`][ \t]*\r?\n$/;

/** The first piece that matches at a place is taken. A character that matches none stands for itself. */
function split(command: string, pieces: readonly Piece[]): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < command.length; ) {
    const found = pieces.flatMap(([pattern, text]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(command)?.[0];
      return match ? [{ match, text }] : [];
    })[0] ?? { match: command[at] ?? '', text: (match: string) => match };
    at += found.match.length;
    // It neither ends a word nor begins one.
    if (CONTINUATION.test(found.match)) continue;
    if (found.text) word = (word ?? '') + found.text(found.match);
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}

const inside = (text: string) => text.slice(1, -1);

/** Escapes of one letter in `$'...'` (Bash manual, ANSI-C quoting). After any other letter, the backslash stays. */
const ANSI: Record<string, string> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};

/** A run of bytes, then code points of up to 4 and of up to 8 digits, control characters, and single letters. */
const ANSI_ESCAPE =
  /((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(\\\\|[\s\S])|([\s\S]))/g;

/** `$'...'` of bash. */
function ansi(text: string): string {
  return text.slice(2, -1).replace(ANSI_ESCAPE, (whole, bytes, u, U, control, letter: string) => {
    if (bytes) return ofBytes(bytes);
    // Chrome writes characters beyond U+FFFF as two halves.
    if (u) return String.fromCharCode(Number.parseInt(u, 16));
    if (U) return ofCodePoint(Number.parseInt(U, 16)) ?? whole;
    if (control) return control === '?' ? '\x7f' : String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
    return ANSI[letter] ?? whole;
  });
}

/** Null: no such code point. */
function ofCodePoint(code: number): string | null {
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/** Bytes in hexadecimal and octal. Several may be one character in UTF-8; others are Latin-1. */
function ofBytes(escapes: string): string {
  const bytes = escapes
    .slice(1)
    .split('\\')
    .map((each) => (each.startsWith('x') ? Number.parseInt(each.slice(1), 16) : Number.parseInt(each, 8) & 0xff));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** Within double quotes, a backslash escapes only a few characters and otherwise stays (POSIX, section 2.2.3). */
const BASH: Piece[] = [
  // Blanks after the backslash are a copying error: bash would take the line's end as the command's.
  [/\\[ \t]*\r?\n/y, () => ''],
  [/[ \t\r\n]+/y, null],
  [/\$'(?:\\[\s\S]|[^'\\])*'/y, ansi],
  [/'[^']*'/y, inside],
  [
    /"(?:\\[\s\S]|[^"\\])*"/y,
    (text) =>
      inside(text)
        .replace(/\\\r?\n/g, '')
        .replace(/\\(["\\$`])/g, '$1'),
  ],
  [/\\[\s\S]/y, (text) => text.slice(1)],
];

/** Windows programs split their command line themselves: `\"` and `""` are quotation marks inside quotes. */
const CMD: Piece[] = [
  [/[ \t]+/y, null],
  [
    /"(?:\\[\s\S]|""|[^"\\])*"/y,
    (text) =>
      inside(text)
        .replace(/(\\+)"/g, (all) => `${'\\'.repeat((all.length - 2) / 2)}"`)
        .replaceAll('""', '"')
        .replaceAll('\\\\', '\\'),
  ],
];

/** A caret escapes what follows. Before the end of a line it joins lines, and an empty line is a break. */
function withoutCarets(command: string): string {
  return command
    .replace(/\^\r?\n\r?\n/g, '\n')
    .replace(/\^\r?\n/g, ' ')
    .replace(/\^([\s\S])/g, '$1');
}

/** Escapes of one letter within double quotes (PowerShell, about_Special_Characters). */
const BACKTICK: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

/** A doubled quotation mark is one (PowerShell, about_Quoting_Rules). */
const POWERSHELL: Piece[] = [
  [/`\r?\n/y, () => ''],
  [/[ \t\r\n]+/y, null],
  [/'(?:''|[^'])*'/y, (text) => inside(text).replaceAll("''", "'")],
  [
    /"(?:`[\s\S]|""|[^"`])*"/y,
    (text) => inside(text).replace(/`([\s\S])|""/g, (_all, char) => (char ? (BACKTICK[char] ?? char) : '"')),
  ],
  [/`[\s\S]/y, (text) => text.slice(1)],
];
