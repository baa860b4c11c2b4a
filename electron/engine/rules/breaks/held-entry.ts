import type { HeldMessage, HeldSummary, Release } from '../../../../shared/model/rule/held-message.ts';
import type { Hold } from '../actions/break.ts';

/** What the queue shows of a message: all but what it knows itself. */
export type ShownMessage = Omit<
  HeldMessage,
  'id' | 'rule' | 'heldAt' | 'continuesAt' | 'clientLeft' | 'body' | 'exchange'
> & { body: Buffer | null };

/** A message to hold. */
export interface Holding {
  exchange: number;
  /** Milliseconds since the Unix epoch. */
  heldAt: number;
  shown: ShownMessage;
  /** Throws `rules.release-refused` for a release that this message can't take. */
  check(release: Release): void;
}

/** How a message goes on. `written`: the edited body, decoded, where the release asks for it. */
export interface Released {
  release: Release;
  written: Buffer;
}

/** One message of the queue. */
export class HeldEntry {
  readonly released: Promise<Released>;
  isReleased = false;
  readonly #summary: HeldSummary;
  readonly #holding: Holding;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onChange: () => void;
  #settle: (released: Released) => void = () => {};
  #written: Buffer[] = [];
  #size = 0;

  /** `onChange`: it was released, or its summary is another. */
  constructor(id: number, { rule, autoContinueMs }: Hold, holding: Holding, onChange: () => void) {
    const { exchange, heldAt } = holding;
    const { side, direction, method, url, status } = holding.shown;
    const continuesAt = autoContinueMs === null ? null : heldAt + autoContinueMs;
    this.#summary = {
      id,
      exchange,
      rule,
      side,
      direction,
      method,
      url,
      status,
      heldAt,
      continuesAt,
      clientLeft: false,
    };
    this.#holding = holding;
    this.#onChange = onChange;
    this.released = new Promise((resolve) => {
      this.#settle = resolve;
    });
    if (autoContinueMs !== null) this.#timer = setTimeout(() => this.continue(), autoContinueMs);
  }

  get summary(): HeldSummary {
    return { ...this.#summary };
  }

  get message(): HeldMessage {
    const { body, ...shown } = this.#holding.shown;
    return { ...shown, ...this.summary, body: body?.toString('base64') ?? null };
  }

  /** Returns false for a part that does not follow those before. */
  write(offset: number, part: Buffer): boolean {
    if (offset === 0) {
      this.#written = [];
      this.#size = 0;
    }
    if (offset !== this.#size) return false;
    this.#written.push(part);
    this.#size += part.length;
    return true;
  }

  /** Throws `rules.release-refused`. */
  release(release: Release): void {
    this.#holding.check(release);
    this.isReleased = true;
    clearTimeout(this.#timer);
    this.#settle({ release, written: Buffer.concat(this.#written) });
    this.#onChange();
  }

  continue(): void {
    if (!this.isReleased) this.release({ how: 'continue' });
  }

  /** The client has closed its side. The message stays in the queue, which says so. */
  clientLeft(): void {
    if (this.#summary.clientLeft) return;
    this.#summary.clientLeft = true;
    this.#onChange();
  }
}
