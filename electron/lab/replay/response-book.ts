import { originOf, type RecordedResponse } from '../page/recorded-page.ts';

/** A replayed request: what identifies its response. */
export interface Wanted {
  method: string;
  /** `host:port`, lower case. */
  origin: string;
  /** Path and query. */
  path: string;
}

function pathnameOf(path: string): string {
  return path.split('?', 1)[0] ?? path;
}

function parametersOf(path: string): Set<string> {
  return new Set(path.slice(pathnameOf(path).length + 1).split('&'));
}

/** Parameters that two queries share, minus those that only one has. */
function likeness(one: string, other: string): number {
  const [ours, theirs] = [parametersOf(one), parametersOf(other)];
  const shared = [...ours].filter((parameter) => theirs.has(parameter)).length;
  return 2 * shared - (ours.size + theirs.size - 2 * shared);
}

function pushTo<K, T>(map: Map<K, T[]>, key: K, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/**
 * Finds the recorded response to a request: by origin and exact URL, otherwise the same path with the nearest query.
 * Repeated requests get the recorded responses in order, and the last one from then on. Request bodies are ignored (as
 * Web Page Replay does).
 */
export class ResponseBook {
  readonly #exact = new Map<string, RecordedResponse[]>();
  readonly #byPath = new Map<string, RecordedResponse[]>();
  readonly #given = new Map<RecordedResponse[], number>();

  constructor(responses: readonly RecordedResponse[]) {
    for (const response of responses) {
      const { method, path } = response;
      // The second key finds responses of any origin, for requests that are all sent to one host.
      for (const origin of [originOf(response), '*']) {
        pushTo(this.#exact, `${method} ${origin}${path}`, response);
        pushTo(this.#byPath, `${method} ${origin}${pathnameOf(path)}`, response);
      }
    }
  }

  /** Begins a load: repeated requests start with the first response again. */
  reset(): void {
    this.#given.clear();
  }

  /** Null: no recorded response fits. `anyOrigin`: one origin gets the requests of all. */
  take(wanted: Wanted, anyOrigin: boolean): RecordedResponse | null {
    const found = this.#find(wanted) ?? (anyOrigin ? this.#find({ ...wanted, origin: '*' }) : null);
    if (found !== null || wanted.method !== 'HEAD') return found;
    return this.take({ ...wanted, method: 'GET' }, anyOrigin);
  }

  #find({ method, origin, path }: Wanted): RecordedResponse | null {
    const exact = this.#exact.get(`${method} ${origin}${path}`);
    if (exact) return this.#next(exact);
    const candidates = this.#byPath.get(`${method} ${origin}${pathnameOf(path)}`) ?? [];
    const scored = candidates.map((response) => ({ response, score: likeness(path, response.path) }));
    return (
      scored.reduce<(typeof scored)[0] | null>(
        (best, each) => (best !== null && best.score >= each.score ? best : each),
        null,
      )?.response ?? null
    );
  }

  #next(responses: RecordedResponse[]): RecordedResponse | null {
    const given = this.#given.get(responses) ?? 0;
    this.#given.set(responses, given + 1);
    return responses[Math.min(given, responses.length - 1)] ?? null;
  }
}
