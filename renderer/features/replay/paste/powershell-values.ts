import { PasteFault, type PowershellToken } from './powershell-tokens.ts';

export type Pair = [name: string, value: string];

/** What an expression is: a text, a hash table, a web session, a cookie, or true and false. */
export type PowershellValue =
  | { kind: 'text'; text: string }
  | { kind: 'table'; pairs: Pair[] }
  | { kind: 'session'; agent: string | null; cookies: Pair[] }
  | { kind: 'cookie'; cookie: Pair }
  | { kind: 'switch'; on: boolean };

/** Reads the tokens of a command in sequence. Its methods throw a `PasteFault`. */
export class PowershellReader {
  readonly variables = new Map<string, PowershellValue>();
  readonly #tokens: readonly PowershellToken[];
  #at = 0;

  constructor(tokens: readonly PowershellToken[]) {
    this.#tokens = tokens;
  }

  get next(): PowershellToken {
    return this.#tokens[this.#at] ?? { kind: 'end' };
  }

  get isOver(): boolean {
    return this.#at >= this.#tokens.length;
  }

  take(): PowershellToken {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is this mark or word; returns whether it was. */
  takes(text: string): boolean {
    const { next } = this;
    const isIt = (next.kind === 'mark' || next.kind === 'word') && next.text.toLowerCase() === text.toLowerCase();
    if (isIt) this.#at += 1;
    return isIt;
  }

  expect(mark: string): void {
    if (!this.takes(mark)) throw new PasteFault(`The command can’t be read: ${mark} is missing.`);
  }

  skipEnds(): void {
    while (!this.isOver && this.next.kind === 'end') this.take();
  }

  /** Everything up to the end of the statement. */
  skipStatement(): void {
    while (!this.isOver && this.next.kind !== 'end') this.take();
  }

  value(): PowershellValue {
    if (this.takes('@{')) return { kind: 'table', pairs: this.#pairs() };
    if (this.takes('(')) return this.#closed(this.value());
    if (this.takes('New-Object')) return this.#object();
    // The bytes of a text: it is sent as UTF-8 anyway.
    if (this.#takesGetBytes()) {
      this.expect('(');
      return this.#closed(this.value());
    }
    const token = this.take();
    if (token.kind === 'variable') return this.#variable(token.text);
    if (token.kind === 'string' || token.kind === 'word') return { kind: 'text', text: token.text };
    throw new PasteFault('The command can’t be read: a value is missing.');
  }

  text(what: string): string {
    const value = this.value();
    if (value.kind === 'text') return value.text;
    throw new PasteFault(`${what} is not text that can be read.`);
  }

  #closed(value: PowershellValue): PowershellValue {
    this.expect(')');
    return value;
  }

  /** `[System.Text.Encoding]::UTF8.GetBytes`, which is two words to the splitter. */
  #takesGetBytes(): boolean {
    const { next } = this;
    if (next.kind !== 'word' || !/^\[(?:System\.)?Text\.Encoding\]::UTF8$/i.test(next.text)) return false;
    this.take();
    this.expect('.GetBytes');
    return true;
  }

  #variable(name: string): PowershellValue {
    if (/^(true|false)$/i.test(name)) return { kind: 'switch', on: /^true$/i.test(name) };
    const value = this.variables.get(name.toLowerCase());
    if (value === undefined) throw new PasteFault(`The command uses $${name}, which it does not set: paste its value.`);
    return value;
  }

  /** `@{ name = value; … }` behind its first mark. */
  #pairs(): Pair[] {
    const pairs: Pair[] = [];
    for (this.skipEnds(); !this.takes('}'); this.skipEnds()) {
      if (this.isOver) throw new PasteFault('The command can’t be read: a } is missing.');
      const name = this.text('The name of a field');
      this.expect('=');
      pairs.push([name, this.text(`The value of ${name}`)]);
    }
    return pairs;
  }

  #object(): PowershellValue {
    const type = this.text('A type');
    const given: string[] = [];
    if (this.takes('(')) {
      while (!this.takes(')')) {
        given.push(this.text('A cookie'));
        this.takes(',');
      }
    }
    if (/WebRequestSession$/i.test(type)) return { kind: 'session', agent: null, cookies: [] };
    if (/Net\.Cookie$/i.test(type)) return { kind: 'cookie', cookie: [given[0] ?? '', given[1] ?? ''] };
    throw new PasteFault(`The command makes a ${type}, which can’t be read.`);
  }
}
