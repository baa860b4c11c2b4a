/**
 * One word for bash, zsh or ksh. Control characters, and characters that are invisible or reverse the text, could harm
 * a terminal or get lost on the clipboard. They become octal escapes in `$'...'`, with three digits, which a following
 * digit can't extend. No shell can pass NUL: use `printfFormat`.
 */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!ESCAPED.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  // An exclamation mark too: bash expands its history in $'...'.
  return `$'${text.replace(/['\\!]/g, octal).replace(EVERY_ESCAPED, octal)}'`;
}

/** The same for bytes as Latin-1 characters: bytes above 0x7f are not UTF-8, and no terminal accepts them. */
export function shellQuoteBytes(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return shellQuote(bytes);
  const escaped = bytes.replace(/[^\t\n -~]|['\\!]/g, (char) => `\\${octalDigits(char.charCodeAt(0))}`);
  return `$'${escaped}'`;
}

/** A format, as one word, with which `printf` writes this text, including NUL (POSIX, "File Format Notation"). */
export function printfFormat(text: string): string {
  return `'${text.replaceAll('%', '%%').replace(/['\\]/g, octal).replace(EVERY_ESCAPED, octal)}'`;
}

// Line feeds and tabs are harmless within quotes, and readable.
const ESCAPED = /[^\t\n -~\u00a0-\u{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}]/u;
const EVERY_ESCAPED = new RegExp(ESCAPED, 'gu');

/** Its UTF-8 bytes. */
function octal(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\${octalDigits(code)}`;
  const length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  const lead = [0, 0, 0xc0, 0xe0, 0xf0][length] ?? 0;
  const bytes = Array.from({ length }, (_, index) => {
    const six = (code >> (6 * (length - 1 - index))) & 0x3f;
    return index === 0 ? lead | (code >> (6 * (length - 1))) : 0x80 | six;
  });
  return bytes.map((byte) => `\\${octalDigits(byte)}`).join('');
}

function octalDigits(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}
