import { both, type Condition, either, negated } from './conditions.ts';
import { NoEquivalent } from './imported.ts';
import { anyOfRegex, globOfRegex, term } from './query-words.ts';

/**
 * The message that mitmproxy tests: its hooks run once for the request, and once more when the response has arrived.
 */
export type Side = 'request' | 'response';

const typeLine = (regex: string): Condition => {
  if (regex.endsWith('$')) throw new NoEquivalent('the end of a field has no equivalent');
  const glob = globOfRegex(regex);
  return term('header', `content-type: ${regex.startsWith('^') || glob.startsWith('*') ? '' : '*'}${glob}`);
};

/** `~m` matches a part of the method: queries match only whole methods. */
function methods(regex: string): Condition {
  const names = regex.split('|').map((each) => each.replace(/^\^|\$$/g, ''));
  const isWhole = names.every((name) => /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/i.test(name));
  if (!isWhole) throw new NoEquivalent(`the filter ~m ${regex} has no equivalent: write whole methods`);
  return `method:${names.join(',')}`;
}

function status(code: string): Condition {
  if (!/^\d+$/.test(code)) throw new NoEquivalent(`the filter ~c needs a number, not ${JSON.stringify(code)}`);
  return `status:${code}`;
}

function sideless(name: string): never {
  throw new NoEquivalent(`the filter ~${name} has no equivalent for responses: limit it to requests with ~q`);
}

const FIELDS: Record<string, (value: string, side: Side) => Condition> = {
  u: (value) => anyOfRegex('url', value),
  d: (value) => anyOfRegex('host', value),
  m: methods,
  // Nothing of the response is known while mitmproxy tests the request.
  c: (value, side) => both(status(value), side === 'response'),
  t: typeLine,
  tq: (value, side) => (side === 'request' ? typeLine(value) : sideless('tq')),
  ts: (value, side) => both(anyOfRegex('type', value), side === 'response'),
};

const CONSTANTS: Record<string, (side: Side) => boolean> = {
  q: (side) => side === 'request',
  s: (side) => side === 'response',
  all: () => true,
  http: () => true,
};

/** The reader recurses for each. */
const MOST_LEVELS = 200;

/** A mitmproxy filter expression, applied to the messages of one side. Throws `NoEquivalent`. */
export function mitmproxyFilter(text: string, side: Side): Condition {
  if (text.trim() === '') throw new NoEquivalent('its filter is empty: remove the separator before it');
  if ((text.match(/[!(]/g) ?? []).length > MOST_LEVELS) throw new NoEquivalent('its filter is nested too deeply');
  return new FilterReader(text, side).whole();
}

/**
 * Reads by precedence, as mitmproxy does: `!` binds most, then `&`, then `|`; expressions that follow each other
 * without an operator must all hold, and bind least. A word ends at a blank, a quote, `~` or a parenthesis only: in
 * `~d a|b` the `|` belongs to the regular expression.
 */
class FilterReader {
  readonly #text: string;
  readonly #side: Side;
  #at = 0;

  constructor(text: string, side: Side) {
    this.#text = text;
    this.#side = side;
  }

  whole(): Condition {
    const condition = this.#all();
    if (this.#peek() !== '') throw this.#invalid();
    return condition;
  }

  #all(): Condition {
    const parts = [this.#any()];
    while (this.#peek() !== '' && this.#peek() !== ')') parts.push(this.#any());
    return both(...parts);
  }

  #any(): Condition {
    const parts = [this.#every()];
    while (this.#takes('|')) parts.push(this.#every());
    return either(...parts);
  }

  #every(): Condition {
    const parts = [this.#one()];
    while (this.#takes('&')) parts.push(this.#one());
    return both(...parts);
  }

  #one(): Condition {
    if (this.#takes('!')) return negated(this.#one());
    if (this.#takes('(')) {
      const inner = this.#all();
      if (!this.#takes(')')) throw this.#invalid();
      return inner;
    }
    if (this.#takes('~')) return this.#named(this.#match(/^[a-z]+/) ?? '');
    const regex = this.#word();
    return regex === '.*' || anyOfRegex('url', regex);
  }

  #named(name: string): Condition {
    const constant = Object.hasOwn(CONSTANTS, name) ? CONSTANTS[name] : undefined;
    if (constant !== undefined) return constant(this.#side);
    const make = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (make === undefined) throw new NoEquivalent(`the filter ~${name} has no equivalent`);
    this.#peek();
    return make(name === 'c' ? (this.#match(/^\d+/) ?? '') : this.#word(), this.#side);
  }

  #word(): string {
    const quote = this.#peek();
    if (quote !== '"' && quote !== "'") {
      const word = this.#match(/^[^\s()~'"]+/);
      if (word === null) throw this.#invalid();
      return word;
    }
    const quoted = this.#match(quote === '"' ? /^"(?:\\.|[^"\\])*"/s : /^'(?:\\.|[^'\\])*'/s);
    if (quoted === null) throw this.#invalid();
    return quoted.slice(1, -1).replace(/\\(["'])/g, '$1');
  }

  #match(pattern: RegExp): string | null {
    const found = pattern.exec(this.#text.slice(this.#at))?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #takes(mark: string): boolean {
    const isThere = this.#peek() === mark;
    if (isThere) this.#at += 1;
    return isThere;
  }

  /** The next character behind blanks; '' at the end. */
  #peek(): string {
    this.#match(/^\s+/);
    return this.#text[this.#at] ?? '';
  }

  #invalid(): NoEquivalent {
    return new NoEquivalent(`the filter ${JSON.stringify(this.#text)} is not a mitmproxy filter`);
  }
}
