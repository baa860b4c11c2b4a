/** What arrived during one load. */
export interface RequestCounts {
  requests: number;
  connections: number;
  preflights: number;
  /** Responses that did not arrive whole: the connection broke, or the page cancelled the request. */
  cut: number;
  /** Requests that the recording could not answer, as `GET https://host/path`. */
  unanswered: string[];
}

const NOTHING: Readonly<Omit<RequestCounts, 'unanswered'>> = { requests: 0, connections: 0, preflights: 0, cut: 0 };

/** Counts the requests of a load and detects when none is in progress. */
export class RequestLog {
  #counts: RequestCounts = { ...NOTHING, unanswered: [] };
  #underWay = 0;
  #onChange: () => void = () => undefined;

  /** So far. */
  get counts(): RequestCounts {
    return { ...this.#counts, unanswered: [...this.#counts.unanswered] };
  }

  reset(): void {
    this.#counts = { ...NOTHING, unanswered: [] };
  }

  connected(): void {
    this.#counts.connections += 1;
  }

  began(isPreflight: boolean): void {
    this.#counts.requests += 1;
    if (isPreflight) this.#counts.preflights += 1;
    this.#underWay += 1;
    this.#onChange();
  }

  /** `whole`: the response was sent completely. */
  ended(whole: boolean): void {
    if (!whole) this.#counts.cut += 1;
    this.#underWay -= 1;
    this.#onChange();
  }

  unanswered(request: string): void {
    this.#counts.unanswered.push(request);
  }

  /** Resolves when no request has been in progress for `quiet` milliseconds, or after `limit` milliseconds. */
  settled(quiet: number, limit: number): Promise<void> {
    return new Promise((resolve) => {
      let waiting: NodeJS.Timeout | undefined;
      const done = (): void => {
        clearTimeout(waiting);
        clearTimeout(ending);
        this.#onChange = () => undefined;
        resolve();
      };
      const ending = setTimeout(done, limit);
      this.#onChange = () => {
        clearTimeout(waiting);
        if (this.#underWay === 0) waiting = setTimeout(done, quiet);
      };
      this.#onChange();
    });
  }
}
