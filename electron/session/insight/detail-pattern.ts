import { type FactDetail, type MessageDetail, NO_RETRIES } from '../../../shared/insight/fact-detail.ts';
import { FieldLayout, FieldReader, isReadField, type OwnFields } from '../../../shared/insight/fact-fields.ts';
import type { DetailRow } from '../format/detail-row.ts';
import { parsedOrNull } from '../read/parsed-rows.ts';

/** The content of a string of JSON. */
const STRING = '[^"\\\\]*(?:\\\\.[^"\\\\]*)*';
const NUMBER = '-?[\\d.e+-]+';
const FLAG = 'true|false';
/** What follows the messages in most details: a route at most, one attempt without a failure, no rules. */
const REST =
  `null,(?:null|\\{[^{}]*\\}),(?:${FLAG}),(?:${FLAG}),` +
  `\\[\\[${NUMBER},${NUMBER},\\d+,(?:${FLAG}),null,null\\]\\],null,null,null\\]`;
/** Cells of both messages' fields. */
const MOST_CELLS = 400;

/**
 * Finds what facts need in the JSON of details whose messages have the same names in the same order, and nothing that
 * is rare: three times as fast as all of it is parsed.
 */
export class DetailPattern {
  readonly regExp: RegExp;
  readonly asked: FieldLayout;
  readonly answered: FieldLayout;

  constructor([request, response]: DetailRow) {
    const [asked, answered] = [namesIn(request[3]), namesIn(response?.[2] ?? [])];
    this.asked = new FieldLayout(asked.filter(isReadField));
    this.answered = new FieldLayout(answered.filter(isReadField));
    this.regExp = new RegExp(
      `^\\[\\["(${STRING})",\\d+,"${STRING}",\\[${fieldsPattern(asked)}\\],\\[\\],(${NUMBER}),${NUMBER},(?:${FLAG})` +
        `\\],\\["${STRING}","${STRING}",\\[${fieldsPattern(answered)}\\],\\[\\],(${NUMBER}),${NUMBER},(${FLAG}),` +
        `\\[\\]\\],${REST}$`,
    );
  }

  /** Equal for details that fit the same pattern; null: none is made for this. */
  static layoutOf([request, response]: DetailRow): string | null {
    if (response === null || request[3].length + response[2].length > MOST_CELLS) return null;
    return JSON.stringify([namesIn(request[3]), namesIn(response[2])]);
  }
}

/** Reads details by a pattern. Those of one kind, which have mostly the same values, should have their own reader. */
export class PatternReader {
  readonly pattern: DetailPattern;
  readonly #asked: FieldReader;
  readonly #answered: FieldReader;

  constructor(pattern: DetailPattern) {
    this.pattern = pattern;
    this.#asked = new FieldReader(pattern.asked);
    this.#answered = new FieldReader(pattern.answered);
  }

  /** Null: the detail does not fit. */
  read(text: string): FactDetail | null {
    const found = this.pattern.regExp.exec(text);
    if (found === null) return null;
    // The groups: the host, the request's fields and head, the response's, and whether that is whole.
    const request = messageIn(found, 2, this.#asked);
    const response = messageIn(found, 3 + this.pattern.asked.names.length, this.#answered);
    const isWhole = found.at(-1) === 'true';
    return {
      host: decoded(found[1] ?? ''),
      request,
      response: { ...response, isWhole, trailers: 0, isSized: false },
      retries: NO_RETRIES,
    };
  }
}

function messageIn(found: RegExpExecArray, from: number, reader: FieldReader): MessageDetail {
  const own: OwnFields = {};
  const fields = reader.read(found, from, 1, own, decoded);
  return { fields, own, head: Number(found[from + reader.layout.names.length]) };
}

function decoded(content: string): string {
  // In a damaged file, an escape may be none.
  return content.includes('\\') ? String(parsedOrNull(`"${content}"`)) : content;
}

function namesIn(fields: readonly string[]): string[] {
  return fields.filter((_, at) => at % 2 === 0);
}

function fieldsPattern(names: readonly string[]): string {
  const patterns = names.map((name) => {
    const quoted = JSON.stringify(name).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    return `${quoted},"${isReadField(name) ? `(${STRING})` : STRING}"`;
  });
  return patterns.join(',');
}
