import type { HeldMessage, HeldSummary, Release } from '../../../../shared/model/rule/held-message.ts';
import type { Hold } from '../actions/break.ts';

/** What the queue shows of a message, except what it adds itself. */
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
  /** Throws `rules.release-refused` for a release that does not fit this message. */
  check(release: Release): void;
}

/** How a message continues. `written`: the edited body, decoded, if the release refers to it. */
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

  /** `onChange`: it was released, or its summary changed. */
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

  /** Returns false for a part out of order. */
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

  /** The client has closed its side. The message stays in the queue, which shows this. */
  clientLeft(): void {
    if (this.#summary.clientLeft) return;
    this.#summary.clientLeft = true;
    this.#onChange();
  }
}
