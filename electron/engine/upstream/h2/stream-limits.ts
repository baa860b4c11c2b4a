/** Few origins limit streams below the default. */
const ORIGINS_KEPT = 1000;
/**
 * Assumed for an origin without a known limit: its SETTINGS arrive a moment later, and a refused stream costs a round
 * trip.
 */
const STREAMS_AT_FIRST = 10;

/**
 * SETTINGS_MAX_CONCURRENT_STREAMS by origin, from its last session. A new session may carry requests before its
 * SETTINGS frame arrives, and the server would refuse those over the limit.
 */
export class StreamLimits {
  readonly #limits = new Map<string, number>();

  /** `key`: an origin's. */
  get(key: string): number {
    return this.#limits.get(key) ?? STREAMS_AT_FIRST;
  }

  set(key: string, streams: number): void {
    this.#limits.delete(key);
    this.#limits.set(key, Math.max(streams, 1));
    if (this.#limits.size <= ORIGINS_KEPT) return;
    const oldest = this.#limits.keys().next();
    if (!oldest.done) this.#limits.delete(oldest.value);
  }
}
