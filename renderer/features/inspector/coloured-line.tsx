import type { ReactNode } from 'react';

export type Language = 'json' | 'markup' | 'plain';

type Kind = 'key' | 'string' | 'word' | 'number' | 'tag';

const JSON_PARTS = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
const MARKUP_PARTS = /(<!--.*?-->|<!doctype[^>]*>)|(<\/?[a-z][\w:-]*|\/?>)|([\w:-]+=)?("[^"]*")/gi;

function jsonKind([, string, colon, word]: RegExpMatchArray): Kind {
  if (string !== undefined) return colon === undefined ? 'string' : 'key';
  return word === undefined ? 'number' : 'word';
}

function markupKind([, aside, tag]: RegExpMatchArray): Kind {
  if (aside !== undefined) return 'word';
  return tag === undefined ? 'string' : 'tag';
}

export function languageOf(mediaType: string): Language {
  if (/json$/.test(mediaType)) return 'json';
  return /(html|xml)$/.test(mediaType) ? 'markup' : 'plain';
}

/** One line with its parts in colour. Only the lines in sight are ever coloured, so the size of a text does not matter. */
export function colouredLine(line: string, language: Language): ReactNode {
  if (language === 'plain') return line;
  const [pattern, kindOf] =
    language === 'json' ? ([JSON_PARTS, jsonKind] as const) : ([MARKUP_PARTS, markupKind] as const);
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    parts.push(line.slice(end, match.index));
    parts.push(
      <span key={match.index} className={`c-${kindOf(match)}`}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, line.slice(end)];
}
