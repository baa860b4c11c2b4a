import { formatLimit } from '../../../../shared/format/sizes.ts';
import {
  HELD_BODY_LIMIT,
  type HeldMessage,
  type HeldSummary,
  type Release,
} from '../../../../shared/model/rule/held-message.ts';
import { roundtripError } from '../../../failures/errors.ts';
import type { Hold } from '../actions/break.ts';
import { HeldEntry, type Holding } from './held-entry.ts';

/** More messages are not held: each may keep its body in memory. */
const MOST_HELD = 200;
/** Changes of the queue are reported together, at most once per this interval, milliseconds. */
const REPORT_INTERVAL = 16;

/** The messages that breakpoints hold, oldest first, until they are released. */
export class BreakQueue {
  readonly #entries = new Map<number, HeldEntry>();
  readonly #onChange: (messages: HeldSummary[]) => void;
  #ids = 0;
  #report: NodeJS.Timeout | undefined;
  #watched = false;

  constructor(onChange: (messages: HeldSummary[]) => void) {
    this.#onChange = onChange;
  }

  /** Whether a window shows the queue. Without one, messages could not be released: nothing is held. */
  set watched(watched: boolean) {
    this.#watched = watched;
    if (!watched) this.releaseAll();
  }

  /** Why a message that arrives now is not held, as part of a sentence; null: it is. */
  get refusal(): string | null {
    if (!this.#watched) return 'not held: no window is open';
    return this.#entries.size < MOST_HELD ? null : `not held: ${MOST_HELD} messages are held already`;
  }

  /** Call `refusal` first. The message stays in the queue until it is released, even if its client leaves. */
  hold(hold: Hold, holding: Holding): HeldEntry {
    this.#ids += 1;
    const id = this.#ids;
    const entry = new HeldEntry(id, hold, holding, () => {
      if (entry.isReleased) this.#entries.delete(id);
      this.#changed();
    });
    this.#entries.set(id, entry);
    this.#changed();
    return entry;
  }

  list(): HeldSummary[] {
    return [...this.#entries.values()].map(({ summary }) => summary);
  }

  /** Throws `rules.not-held`. */
  get(id: number): HeldMessage {
    return this.#entry(id).message;
  }

  /**
   * Writes a part of an edited body, decoded. `offset` 0 starts again. Throws `rules.not-held` or
   * `rules.release-refused`.
   */
  write(id: number, offset: number, part: Buffer): void {
    const entry = this.#entry(id);
    if (offset + part.length > HELD_BODY_LIMIT) refuse(`its body is larger than ${formatLimit(HELD_BODY_LIMIT)}.`);
    if (!entry.write(offset, part)) refuse('a part of its body is missing.');
  }

  /** Releases a message. Throws `rules.not-held` or `rules.release-refused`; it is then still held. */
  release(id: number, release: Release): void {
    this.#entry(id).release(release);
  }

  /** Releases the messages of all other rules unchanged. */
  releaseUnless(breaking: ReadonlySet<string>): void {
    for (const entry of this.#entries.values()) if (!breaking.has(entry.summary.rule)) entry.continue();
  }

  releaseAll(): void {
    this.releaseUnless(new Set());
  }

  /** Holds nothing more, and reports that. */
  close(): void {
    this.watched = false;
    clearTimeout(this.#report);
    this.#onChange([]);
  }

  #entry(id: number): HeldEntry {
    const entry = this.#entries.get(id);
    if (!entry) throw roundtripError('rules.not-held', {});
    return entry;
  }

  #changed(): void {
    this.#report ??= setTimeout(() => {
      this.#report = undefined;
      this.#onChange(this.list());
    }, REPORT_INTERVAL).unref();
  }
}

function refuse(detail: string): never {
  throw roundtripError('rules.release-refused', { detail });
}
