/**
 * Characters. A longer line is split into pieces: a browser lays out a line in one go, which is slow for minified text.
 */
const LONGEST = 2000;

/** A line as it is drawn: a line of the text, or a piece of a long one. */
export interface TextLine {
  /** From 1; 0 for the further pieces of a split line. */
  number: number;
  text: string;
}

/** The lines of a text; long ones are split, but never within a surrogate pair. */
export function textLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.length <= LONGEST) lines.push({ number: index + 1, text: line });
    else
      for (const [at, piece] of pieces(line).entries()) lines.push({ number: at === 0 ? index + 1 : 0, text: piece });
  }
  return lines;
}

/** Splits after `LONGEST` characters, or one earlier if the next piece would begin with a low surrogate. */
function pieces(line: string): string[] {
  const all: string[] = [];
  for (let start = 0; start < line.length; ) {
    const last = line.charCodeAt(start + LONGEST - 1);
    const end = start + LONGEST - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    all.push(line.slice(start, end));
    start = end;
  }
  return all;
}
