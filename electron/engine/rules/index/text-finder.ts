/** Finds which of many texts occur in another one, in one pass, however many they are (Aho and Corasick, 1975). */
export class TextFinder {
  /** The class of each character that a text has; 0: none has it. */
  readonly #classes = new Map<number, number>();
  readonly #ascii = new Uint16Array(128);
  readonly #width: number;
  /** For a state and a class of characters, the next state. */
  #next: Int32Array;
  /** The texts that end in a state; null: none. */
  readonly #found: (number[] | null)[] = [null];

  /** `texts`: none of them empty. */
  constructor(texts: readonly string[]) {
    for (const text of texts) for (const char of text) this.#classify(char);
    this.#width = this.#classes.size + 1;
    const states = 1 + texts.reduce((sum, { length }) => sum + length, 0);
    this.#next = new Int32Array(states * this.#width);
    texts.forEach((text, index) => {
      this.#add(text, index);
    });
    this.#next = this.#next.slice(0, this.#found.length * this.#width);
    this.#link();
  }

  #classify(char: string): void {
    const code = char.charCodeAt(0);
    if (this.#classes.has(code)) return;
    this.#classes.set(code, this.#classes.size + 1);
    if (code < 128) this.#ascii[code] = this.#classes.size;
  }

  #classOf(code: number): number {
    return (code < 128 ? this.#ascii[code] : this.#classes.get(code)) ?? 0;
  }

  #step(state: number, kind: number): number {
    return this.#next[state * this.#width + kind] ?? 0;
  }

  #add(text: string, index: number): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const place = state * this.#width + this.#classOf(text.charCodeAt(at));
      if (this.#next[place] === 0) this.#next[place] = this.#found.push(null) - 1;
      state = this.#next[place] ?? 0;
    }
    this.#found[state] = [...(this.#found[state] ?? []), index];
  }

  /** Links each missing step to the node that continues the longest suffix read. */
  #link(): void {
    const fallback = new Int32Array(this.#found.length);
    const queue = [0];
    for (const state of queue) {
      for (let kind = 1; kind < this.#width; kind += 1) {
        const place = state * this.#width + kind;
        const next = this.#next[place] ?? 0;
        const other = state === 0 ? 0 : this.#step(fallback[state] ?? 0, kind);
        if (next === 0) {
          this.#next[place] = other;
          continue;
        }
        fallback[next] = other;
        const more = this.#found[other];
        if (more) this.#found[next] = [...(this.#found[next] ?? []), ...more];
        queue.push(next);
      }
    }
  }

  /** Calls back with the list index of each text in `text`; for some more than once. */
  find(text: string, found: (index: number) => void): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const kind = this.#classOf(text.charCodeAt(at));
      state = kind === 0 ? 0 : this.#step(state, kind);
      const texts = this.#found[state];
      if (texts) for (const index of texts) found(index);
    }
  }
}
