/** A part of a PowerShell command. `word`: bare text, an option or a number; `end`: the end of a statement. */
export type PowershellToken =
  | { kind: 'string'; text: string }
  | { kind: 'variable' | 'word' | 'mark'; text: string }
  | { kind: 'end' };

/** Why a command can't be read, as a sentence. */
export class PasteFault extends Error {}

type Make = (match: RegExpExecArray, variable: (name: string) => string) => PowershellToken | null;

const string = (text: string): PowershellToken => ({ kind: 'string', text });

/** PowerShell treats typographic quotation marks as plain ones (about_Quoting_Rules). A doubled mark is one. */
const SINGLE = "'\u2018\u2019\u201a\u201b";
const DOUBLE = '"\u201c\u201d\u201e';
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0', a: '\x07', b: '\b', f: '\f', v: '\v' };
const INSIDE = new RegExp(
  `\`([\\s\\S])|[${DOUBLE}]{2}|\\$\\(\\[char\\](?:0x([0-9a-f]+)|(\\d+))\\)|\\$(?:\\{(\\w+)\\}|(\\w+))|\\$\\(`,
  'gi',
);

/** What double quotes hold: escapes, `$([char]233)` as Chrome writes it, and variables that the command sets. */
function expanded(text: string, variable: (name: string) => string): string {
  return text.replace(
    INSIDE,
    (whole, escaped?: string, hex?: string, decimal?: string, braced?: string, name?: string) => {
      if (escaped) return ESCAPES[escaped] ?? escaped;
      if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
      if (decimal) return String.fromCharCode(Number(decimal));
      if (whole === '$(') throw new PasteFault('The command computes a string with $(…): paste the result instead.');
      return braced || name ? variable(braced ?? name ?? '') : whole.slice(1);
    },
  );
}

/** The first that matches at a place is taken; null: white space or a comment. */
const PIECES: [RegExp, Make][] = [
  [/(?:`\r?\n|[ \t]|#[^\n]*)+/y, () => null],
  [/(?:\r?\n|;)\s*/y, () => ({ kind: 'end' })],
  [/@'\r?\n([\s\S]*?)\r?\n'@/y, ([, text = '']) => string(text)],
  [/@"\r?\n([\s\S]*?)\r?\n"@/y, ([, text = ''], variable) => string(expanded(text, variable))],
  [
    new RegExp(`[${SINGLE}]((?:[${SINGLE}]{2}|[^${SINGLE}])*)[${SINGLE}]`, 'y'),
    ([, text = '']) => string(text.replace(new RegExp(`[${SINGLE}]([${SINGLE}])`, 'g'), '$1')),
  ],
  [
    new RegExp(`[${DOUBLE}]((?:\`[\\s\\S]|[${DOUBLE}]{2}|[^${DOUBLE}\`])*)[${DOUBLE}]`, 'y'),
    ([, text = ''], variable) => string(expanded(text, variable)),
  ],
  [/\$\{?([\w:]+(?:\.\w+)*)\}?/y, ([, text = '']) => ({ kind: 'variable', text })],
  [/\[[\w.]+\](?:::\w+)?/y, ([text]) => ({ kind: 'word', text })],
  [/@\{|[(){}=,|]|\[|\]/y, ([text]) => ({ kind: 'mark', text })],
  [/[^\s`'"$(){}=,;|@#[\]]+/y, ([text]) => ({ kind: 'word', text })],
];

/** Splits a command. `variable`: the text of one that a string names. Throws a `PasteFault`. */
export function powershellTokens(command: string, variable: (name: string) => string): PowershellToken[] {
  const tokens: PowershellToken[] = [];
  for (let at = 0; at < command.length; ) {
    const found = PIECES.map(([pattern, make]) => {
      pattern.lastIndex = at;
      return { match: pattern.exec(command), make };
    }).find(({ match }) => match !== null);
    if (!found?.match) {
      const rest = command.slice(at, at + 20).split('\n')[0];
      throw new PasteFault(`The command can’t be read from this point: ${rest} (a quotation mark may be missing)`);
    }
    const token = found.make(found.match, variable);
    if (token) tokens.push(token);
    at += found.match[0].length;
  }
  return tokens;
}
