import { type FactDetail, messageDetail, responseDetail, retriesIn } from '../../../shared/insight/fact-detail.ts';
import { soundDetail } from '../format/check-detail.ts';
import type { DetailRow } from '../format/detail-row.ts';
import { parsedOrNull } from '../read/parsed-rows.ts';
import { DetailPattern, PatternReader } from './detail-pattern.ts';

/** Layouts and kinds that are remembered. */
const MOST_LAYOUTS = 5000;
const MOST_KINDS = 2000;
/** Patterns in all, and those that are tried for one kind: more would take longer than parsing. */
const MOST_PATTERNS = 200;
const MOST_OF_KIND = 4;

/**
 * Reads what facts need from the JSON of details (format/detail-row.ts): by patterns, because programs write the same
 * names in the same order each time, and whatever fits none is parsed.
 */
export class DetailTexts {
  /** By layout; null: it came once. */
  readonly #patterns = new Map<string, DetailPattern | null>();
  #made = 0;
  /** Readers by the patterns that fitted exchanges of a kind. */
  readonly #likely = new Map<string, PatternReader[]>();

  /** `kind`: exchanges of one kind are probably alike. Null: the text is damaged. */
  read(text: string, kind: string): FactDetail | null {
    const likely = this.#likely.get(kind) ?? [];
    for (const reader of likely) {
      const detail = reader.read(text);
      if (detail !== null) return detail;
    }
    const row = soundDetail(parsedOrNull(text));
    if (row === null) return null;
    const pattern = this.#patternOf(row);
    if (pattern !== null) this.#expect(pattern, kind, likely);
    return detailOf(row);
  }

  /** The pattern of its layout, made when that comes for the second time. */
  #patternOf(row: DetailRow): DetailPattern | null {
    const layout = DetailPattern.layoutOf(row);
    if (layout === null) return null;
    const known = this.#patterns.get(layout);
    if (known === undefined && this.#patterns.size >= MOST_LAYOUTS) return null;
    const isNew = known === null && this.#made < MOST_PATTERNS;
    const pattern = isNew ? new DetailPattern(row) : (known ?? null);
    if (isNew) this.#made += 1;
    this.#patterns.set(layout, pattern);
    return pattern;
  }

  #expect(pattern: DetailPattern, kind: string, readers: readonly PatternReader[]): void {
    if (this.#likely.size >= MOST_KINDS) this.#likely.clear();
    const others = readers.filter((reader) => reader.pattern !== pattern);
    this.#likely.set(kind, [new PatternReader(pattern), ...others].slice(0, MOST_OF_KIND));
  }
}

function detailOf([request, response, , , , , attempts]: DetailRow): FactDetail {
  const [host, , , asked, , requestHead] = request;
  return {
    host,
    request: messageDetail(asked, requestHead),
    response: response && responseDetail(response[2], response[4], response[3], response[6]),
    retries: retriesIn(attempts.map((attempt) => attempt[5])),
  };
}
