import type { Notice } from '../../shared/contract/envelope.ts';
import type { EventName, FeedBatch, SentOf } from '../../shared/contract/events.ts';

/** One UI that is connected, whichever transport carries it. */
export class Window {
  /** Whether the feed goes to it. */
  subscribed = false;
  /** Ends the export that it waits for, if any. */
  exporting: AbortController | null = null;
  readonly #send: (notice: Notice) => void;

  constructor(send: (notice: Notice) => void) {
    this.#send = send;
  }

  notify<E extends EventName>(event: E, payload: SentOf<E>): void {
    this.#send({ event, payload });
  }
}

/** All UIs of a host. Nobody subscribed: the engine is told to build no feed. */
export class Windows {
  readonly #all = new Set<Window>();
  readonly #onWanted: (wanted: boolean) => void;

  constructor(onWanted: (wanted: boolean) => void) {
    this.#onWanted = onWanted;
  }

  /** `send` must not throw, nor wait. */
  add(send: (notice: Notice) => void): Window {
    const window = new Window(send);
    this.#all.add(window);
    return window;
  }

  /** The window is gone: what it waited for ends. */
  remove(window: Window): void {
    window.exporting?.abort();
    this.subscribe(window, false);
    this.#all.delete(window);
  }

  subscribe(window: Window, subscribed: boolean): void {
    const before = this.wanted;
    window.subscribed = subscribed;
    if (this.wanted !== before) this.#onWanted(this.wanted);
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
