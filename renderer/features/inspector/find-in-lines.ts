import type { TextLine } from './body/text-lines.ts';

/** A part of one drawn line that belongs to a match. */
export interface Mark {
  start: number;
  end: number;
  /** Which match, from 0. */
  match: number;
}

export interface Found {
  /** For each match the index of the drawn line that it begins in. */
  places: readonly number[];
  /** Drawn line -> its marks, in order. */
  marks: ReadonlyMap<number, readonly Mark[]>;
  /** There are more than were counted. */
  cut: boolean;
}

/** Matches that are counted: more than this nobody steps through. */
const MOST = 10_000;

/** Where a text stands in lines, upper and lower case alike. A match may go over the pieces that a long line is drawn in. */
export function findInLines(lines: readonly TextLine[], text: string): Found {
  const places: number[] = [];
  const marks = new Map<number, Mark[]>();
  if (text === '') return { places, marks, cut: false };
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
  for (let first = 0; first < lines.length; ) {
    let after = first + 1;
    while (lines[after]?.number === 0) after += 1;
    const pieces = lines.slice(first, after).map((line) => line.text);
    for (const { index } of pieces.join('').matchAll(pattern)) {
      if (places.length === MOST) return { places, marks, cut: true };
      markPieces(pieces, first, { start: index, end: index + text.length }, places, marks);
    }
    first = after;
  }
  return { places, marks, cut: false };
}

/** Marks one match, whose ends count from the start of the whole line, in each piece that holds some of it. */
function markPieces(
  pieces: readonly string[],
  first: number,
  match: { start: number; end: number },
  places: number[],
  marks: Map<number, Mark[]>,
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
