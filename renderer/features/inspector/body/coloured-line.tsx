import type { ReactNode } from 'react';
import type { Mark } from '../find-in-lines.ts';

/** What `colouredLine` can colour; `plain` has no tokens. */
export type Language = 'json' | 'markup' | 'plain';

/** The kinds of tokens that have a colour: `word` is true, false, null, a comment or a doctype. */
type Kind = 'key' | 'string' | 'word' | 'number' | 'tag';

// The lookahead tells a key from a string without consuming its colon.
const JSON_PARTS = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** Comments and doctypes, tags, and attribute values. Matched per line: a tag across lines is coloured in parts. */
const MARKUP_PARTS = /(<!--.*?-->|<!doctype[^>]*>)|(<\/?[a-z][\w:-]*|\/?>)|([\w:-]+=)?("[^"]*")/gi;

function jsonKind([, string, colon, word]: RegExpMatchArray): Kind {
  if (string !== undefined) return colon === undefined ? 'string' : 'key';
  return word === undefined ? 'number' : 'word';
}

function markupKind([, aside, tag]: RegExpMatchArray): Kind {
  if (aside !== undefined) return 'word';
  return tag === undefined ? 'string' : 'tag';
}

/** The language to colour a body in. Matches suffixes too, such as application/problem+json and image/svg+xml. */
export function languageOf(mediaType: string): Language {
  if (/json$/.test(mediaType)) return 'json';
  return /(html|xml)$/.test(mediaType) ? 'markup' : 'plain';
}

/** A token, or the text between two tokens (`kind` null). */
interface Part {
  text: string;
  kind: Kind | null;
}

/** One line split into tokens; joined, they are the line again. */
function partsOf(line: string, language: Language): Part[] {
  if (language === 'plain') return [{ text: line, kind: null }];
  const [pattern, kindOf] =
    language === 'json' ? ([JSON_PARTS, jsonKind] as const) : ([MARKUP_PARTS, markupKind] as const);
  const parts: Part[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    parts.push({ text: line.slice(end, match.index), kind: null }, { text: match[0], kind: kindOf(match) });
    end = match.index + match[0].length;
  }
  return [...parts, { text: line.slice(end), kind: null }];
}

/**
 * One line with coloured tokens and its search matches marked; `current` is the selected match. Colours line by line,
 * not with a parser over the whole text: only visible lines are coloured; the cost does not depend on the body's
 * size.
 */
export function colouredLine(
  line: string,
  language: Language,
  marks: readonly Mark[] = [],
  current: number | null = null,
): ReactNode {
  const drawn: ReactNode[] = [];
  let offset = 0;
  for (const { text, kind } of partsOf(line, language)) {
    for (const { start, end, mark } of cutAt(marks, offset, offset + text.length)) {
      const piece = line.slice(start, end);
      const name = kind === null ? undefined : `c-${kind}`;
      if (mark) {
        drawn.push(
          <mark key={start} className={name} {...(mark.match === current ? { 'data-current': '' } : {})}>
            {piece}
          </mark>,
        );
      } else {
        drawn.push(
          name ? (
            <span key={start} className={name}>
              {piece}
            </span>
          ) : (
            piece
          ),
        );
      }
    }
    offset += text.length;
  }
  return drawn;
}

/**
 * The range from `from` to `to`, split where a mark begins or ends: a match may cover several tokens, or part of one.
 */
function cutAt(
  marks: readonly Mark[],
  from: number,
  to: number,
): { start: number; end: number; mark: Mark | undefined }[] {
  const stretches: { start: number; end: number; mark: Mark | undefined }[] = [];
  let at = from;
  for (const mark of marks) {
    const [start, end] = [Math.max(mark.start, at), Math.min(mark.end, to)];
    if (start >= end) continue;
    if (start > at) stretches.push({ start: at, end: start, mark: undefined });
    stretches.push({ start, end, mark });
    at = end;
  }
  if (at < to) stretches.push({ start: at, end: to, mark: undefined });
  return stretches;
}
