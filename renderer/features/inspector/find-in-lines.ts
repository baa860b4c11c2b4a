import type { TextLine } from './body/text-lines.ts';

/** A part of one drawn line that belongs to a match. */
export interface Mark {
  start: number;
  end: number;
  /** Index of the match, from 0. */
  match: number;
}

/** The result of a search, in the form that `LineList` and `colouredLine` need. */
export interface Found {
  /** For each match, the index of the drawn line that it begins in. */
  places: readonly number[];
  /** Marks by the index of their drawn line, in order. */
  marks: ReadonlyMap<number, readonly Mark[]>;
  /** There are more matches than were counted. */
  cut: boolean;
}

/** At most this many matches are counted: no user steps through more. */
const MOST = 10_000;

/** Finds a text in lines, ignoring case. A match may span the pieces of a long line, but never two lines. */
export function findInLines(lines: readonly TextLine[], text: string): Found {
  const places: number[] = [];
  const marks = new Map<number, Mark[]>();
  if (text === '') return { places, marks, cut: false };
  // A regular expression for its case-insensitive search; the user's text is escaped.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
  for (let first = 0; first < lines.length; ) {
    // Pieces of a split line have the number 0; they are searched as one line.
    let after = first + 1;
    while (lines[after]?.number === 0) after += 1;
    const pieces = lines.slice(first, after).map((line) => line.text);
    for (const { index } of pieces.join('').matchAll(pattern)) {
      if (places.length === MOST) return { places, marks, cut: true };
      markPieces(pieces, first, { start: index, end: index + text.length }, { places, marks });
    }
    first = after;
  }
  return { places, marks, cut: false };
}

/** Marks one match in each piece that contains part of it. `match` counts from the start of the unsplit line. */
function markPieces(
  pieces: readonly string[],
  first: number,
  match: { start: number; end: number },
  { places, marks }: { places: number[]; marks: Map<number, Mark[]> },
): void {
  const number = places.length;
  let offset = 0;
  for (const [at, piece] of pieces.entries()) {
    const start = Math.max(match.start - offset, 0);
    const end = Math.min(match.end - offset, piece.length);
    if (start < end) {
      if (places.length === number) places.push(first + at);
      const ofLine = marks.get(first + at);
      const mark = { start, end, match: number };
      if (ofLine) ofLine.push(mark);
      else marks.set(first + at, [mark]);
    }
    offset += piece.length;
    if (offset >= match.end) return;
  }
}
