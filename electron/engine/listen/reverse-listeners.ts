import type { Failure } from '../../../shared/model/failure.ts';
import { parseReverse, type ReverseListener, type ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import { failure, failureOf } from '../../failures/errors.ts';
import type { Entry, Listening } from './listener.ts';

interface Open {
  of: ReverseListener;
  /** Null if it could not listen. */
  listening: Listening | null;
  failure: Failure | null;
}

/** `http://127.0.0.1:9000`, with IPv6 in brackets. */
function urlOf({ host, port }: Listening): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Opens and closes reverse listeners as the settings require. A failed listener does not affect the others. */
export class ReverseListeners {
  readonly #listen: (host: string, port: number, entry: Entry) => Promise<Listening>;
  readonly #changed: (listeners: ReverseStatus[]) => void;
  #open: Open[] = [];
  /** Changes run in sequence: a listener must be closed before another takes its port. */
  #queue: Promise<void> = Promise.resolve();

  constructor(
    listen: (host: string, port: number, entry: Entry) => Promise<Listening>,
    changed: (listeners: ReverseStatus[]) => void,
  ) {
    this.#listen = listen;
    this.#changed = changed;
  }

  /** Resolves when all that can listen do. Never rejects: each listener reports its own failure. */
  apply(wanted: readonly ReverseListener[]): Promise<void> {
    this.#queue = this.#queue.then(() => this.#apply(wanted));
    return this.#queue;
  }

  async #apply(wanted: readonly ReverseListener[]): Promise<void> {
    const before = new Map(this.#open.map((each) => [JSON.stringify(each.of), each]));
    const keys = new Set(wanted.map((each) => JSON.stringify(each)));
    if (before.size === keys.size && [...keys].every((key) => before.get(key)?.failure === null)) return;
    for (const [key, { listening }] of before) if (!keys.has(key)) listening?.close();
    const open: Open[] = [];
    for (const of of wanted) {
      const kept = before.get(JSON.stringify(of));
      open.push(kept && kept.failure === null ? kept : await this.#opened(of));
    }
    this.#open = open;
    this.#changed(
      open.map(({ of, listening, failure: about }) => ({
        ...of,
        url: listening ? urlOf(listening) : '',
        failure: about,
      })),
    );
  }

  async #opened(of: ReverseListener): Promise<Open> {
    const place = parseReverse(of);
    if (typeof place === 'string') {
      return { of, listening: null, failure: failure('reverse.invalid', { detail: place }) };
    }
    const { host, port, origin, keepHost } = place;
    try {
      const listening = await this.#listen(host, port, { programPort: null, reverse: { ...origin, keepHost } });
      return { of, listening, failure: null };
    } catch (error) {
      return { of, listening: null, failure: failureOf(error) };
    }
  }
}
