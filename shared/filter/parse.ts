import { contentTerm } from './content-terms.ts';
import { compileTerm } from './fields.ts';
import { type ContentScope, type Parsed, type Query, QueryError } from './query.ts';
import { type Token, tokenize } from './tokens.ts';

/** A query nested deeper than this is a mistake, and would exhaust the stack. */
const DEEPEST = 50;

/**
 * Reads a query:
 *
 *     or    = and ("OR" and)*
 *     and   = not ("AND"? not)*
 *     not   = ("-" | "NOT") not | "(" or ")" | term
 *     term  = [field ":"] value
 *
 * Never throws; an empty query matches all rows. Terms about content that is not in `content` are refused.
 */
export function parseQuery(text: string, content: ContentScope = 'none'): Parsed {
  try {
    return { ok: true, query: new Parser(text, content).parse() };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { position, length, message, mending } = error;
    const unfinished = mending === 'at-end' || (mending === 'there' && position + length === text.length);
    return { ok: false, problem: { position, length, message, unfinished } };
  }
}

class Parser {
  readonly #tokens: Token[];
  readonly #end: { position: number; length: number };
  readonly #content: ContentScope;
  #next = 0;
  #depth = 0;

  constructor(text: string, content: ContentScope) {
    this.#content = content;
    this.#tokens = tokenize(text);
    this.#end = { position: text.length, length: 0 };
  }

  parse(): Query {
    if (this.#tokens.length === 0) return { kind: 'all' };
    const query = this.#or();
    const rest = this.#tokens[this.#next];
    if (rest) throw new QueryError('This ")" has no matching "(": remove it, or add a "(" before it.', rest);
    return query;
  }

  #or(): Query {
    const parts = [this.#and()];
    while (this.#take('or')) parts.push(this.#and());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts };
  }

  #and(): Query {
    const parts = [this.#not()];
    for (;;) {
      const explicit = this.#take('and');
      if (explicit === null && !this.#startsPart()) break;
      parts.push(this.#not());
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
  }

  #not(): Query {
    const token = this.#tokens[this.#next];
    if (this.#depth >= DEEPEST)
      throw new QueryError('This is nested too deeply: use fewer parentheses.', token ?? this.#end);
    this.#depth += 1;
    const query = this.#take('not') ? ({ kind: 'not', of: this.#not() } as const) : this.#part(token);
    this.#depth -= 1;
    return query;
  }

  #part(token: Token | undefined): Query {
    if (token === undefined) throw new QueryError(this.#missing(), this.#end, 'at-end');
    if (token.kind === '(') return this.#parenthesis(token);
    if (token.kind !== 'term') throw new QueryError(this.#missing(token), token);
    this.#next += 1;
    return contentTerm(token, this.#content) ?? compileTerm(token);
  }

  #parenthesis(open: Token): Query {
    this.#next += 1;
    const query = this.#or();
    if (!this.#take(')')) throw new QueryError('This "(" is never closed: add a ")" at the end.', open, 'at-end');
    return query;
  }

  #missing(found?: Token): string {
    const before = this.#tokens[this.#next - 1];
    const after = before === undefined ? 'at the beginning' : `after ${nameOf(before)}`;
    const what = found === undefined ? '' : ` before ${nameOf(found)}`;
    return `Something to search for is missing ${after}${what}: add a word, or one like status:404.`;
  }

  #startsPart(): boolean {
    const kind = this.#tokens[this.#next]?.kind;
    return kind === 'term' || kind === '(' || kind === 'not';
  }

  #take(kind: Token['kind']): Token | null {
    const token = this.#tokens[this.#next];
    if (token?.kind !== kind) return null;
    this.#next += 1;
    return token;
  }
}

function nameOf(token: Token): string {
  if (token.kind === 'term') return JSON.stringify(token.value);
  return token.kind === '(' || token.kind === ')' ? `"${token.kind}"` : token.kind.toUpperCase();
}
