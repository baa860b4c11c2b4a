/** What a test's server received, and what waits for it. */
export class ReceivedText {
  #all = '';
  #waiting: { text: string; resolve: () => void }[] = [];

  get all(): string {
    return this.#all;
  }

  add(bytes: Buffer): void {
    this.#all += bytes.toString('latin1');
    const arrived = this.#waiting.filter(({ text }) => this.#all.includes(text));
    this.#waiting = this.#waiting.filter((each) => !arrived.includes(each));
    for (const { resolve } of arrived) resolve();
  }

  /** Resolves when the received text contains this. */
  includes(text: string): Promise<void> {
    if (this.#all.includes(text)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ text, resolve }));
  }
}
