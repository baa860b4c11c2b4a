import type { Notice } from '../../shared/contract/envelope.ts';
import type { EventName, FeedBatch, SentOf } from '../../shared/contract/events.ts';
import type { IdRange } from '../../shared/model/edits/session-edits.ts';

/** A connected UI, over any transport. */
export class Window {
  /** Whether it receives the feed. */
  subscribed = false;
  /** Whether it shows the queue of breakpoints, where messages can be released. */
  watchesBreaks = false;
  /** Stops its running search; null if there is none. */
  searching: AbortController | null = null;
  /** Stops its trial of a rule; null if there is none. */
  trying: AbortController | null = null;
  /** Cancels its running export; null if there is none. */
  exporting: AbortController | null = null;
  /** Ids of its next export or preview, which do not fit into one message. */
  chosenIds: IdRange[] = [];
  /** Stops its running preview of a redaction; null if there is none. */
  previewing: AbortController | null = null;
  /** Cancels its run of the lab; null if there is none. */
  measuring: AbortController | null = null;
  /** Stops its running repetition; null if it has started none. */
  repeating: AbortController | null = null;
  /** Cancels its running import; null if there is none. */
  importing: AbortController | null = null;
  readonly #send: (notice: Notice) => void;

  constructor(send: (notice: Notice) => void) {
    this.#send = send;
  }

  notify<E extends EventName>(event: E, payload: SentOf<E>): void {
    this.#send({ event, payload });
  }
}

/** All UIs of a host. While none is subscribed, the engine builds no feed. */
export class Windows {
  readonly #all = new Set<Window>();
  readonly #onWanted: (wanted: boolean) => void;
  readonly #onWatched: (watched: boolean) => void;

  /** `onWatched`: whether any of them shows the queue of breakpoints. */
  constructor(onWanted: (wanted: boolean) => void, onWatched: (watched: boolean) => void) {
    this.#onWanted = onWanted;
    this.#onWatched = onWatched;
  }

  /** `send` must neither throw nor block. */
  add(send: (notice: Notice) => void): Window {
    const window = new Window(send);
    this.#all.add(window);
    return window;
  }

  /** The window has closed: cancels what runs for it. */
  remove(window: Window): void {
    window.exporting?.abort();
    window.previewing?.abort();
    window.importing?.abort();
    window.searching?.abort();
    window.trying?.abort();
    window.measuring?.abort();
    window.repeating?.abort();
    this.subscribe(window, false);
    this.watchBreaks(window, false);
    this.#all.delete(window);
  }

  subscribe(window: Window, subscribed: boolean): void {
    const before = this.wanted;
    window.subscribed = subscribed;
    if (this.wanted !== before) this.#onWanted(this.wanted);
  }

  watchBreaks(window: Window, watches: boolean): void {
    const before = this.#watched;
    window.watchesBreaks = watches;
    if (this.#watched !== before) this.#onWatched(this.#watched);
  }

  get #watched(): boolean {
    return [...this.#all].some(({ watchesBreaks }) => watchesBreaks);
  }

  get wanted(): boolean {
    for (const window of this.#all) if (window.subscribed) return true;
    return false;
  }

  notifyAll<E extends EventName>(event: E, payload: SentOf<E>): void {
    for (const window of this.#all) window.notify(event, payload);
  }

  feed(batch: FeedBatch): void {
    for (const window of this.#all) if (window.subscribed) window.notify('feed.batch', batch);
  }
}
