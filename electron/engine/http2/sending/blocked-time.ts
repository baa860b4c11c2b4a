/** Moments of `performance.now()`. */
export type Stretch = readonly [from: number, to: number];

/** Stretches that are kept of a connection. In a lane of 300 pixels, more could not be distinguished. */
const MOST = 64;

/** When streams of a connection had data to send and a closed window. */
export class BlockedTime {
  /** Milliseconds, summed over streams. */
  total = 0;
  /** In order, without overlaps. */
  readonly #stretches: Stretch[] = [];

  get stretches(): readonly Stretch[] {
    return this.#stretches;
  }

  /** `to`: not before that of the stretch added last. */
  add(from: number, to: number): void {
    this.total += to - from;
    let begin = from;
    for (let last = this.#stretches.at(-1); last !== undefined && last[1] >= from; last = this.#stretches.at(-1)) {
      begin = Math.min(begin, last[0]);
      this.#stretches.pop();
    }
    this.#stretches.push([begin, to]);
    if (this.#stretches.length > MOST) this.#joinNearest();
  }

  /** Joins the two with the shortest pause between them. */
  #joinNearest(): void {
    let nearest = 1;
    let shortest = Number.POSITIVE_INFINITY;
    for (let at = 1; at < this.#stretches.length; at += 1) {
      const pause = (this.#stretches[at]?.[0] ?? 0) - (this.#stretches[at - 1]?.[1] ?? 0);
      if (pause < shortest) [nearest, shortest] = [at, pause];
    }
    const [before, after] = [this.#stretches[nearest - 1], this.#stretches[nearest]];
    if (before && after) this.#stretches.splice(nearest - 1, 2, [before[0], after[1]]);
  }
}
