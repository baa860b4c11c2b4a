import type { HeldMessage, HeldSummary, Release } from '../../shared/model/rule/held-message.ts';
import { roundtripError } from '../failures/errors.ts';
import type { EngineRun } from './engine-run.ts';
import type { DesiredState } from './lives/desired-state.ts';

/** The messages that breakpoints of the running engine hold. Without an engine none is held: `rules.not-held`. */
export class BreakAccess {
  readonly #run: () => EngineRun | null;
  readonly #desired: DesiredState;

  constructor(run: () => EngineRun | null, desired: DesiredState) {
    this.#run = run;
    this.#desired = desired;
  }

  /** Whether a window shows the queue, in this life of the engine and the next. Without one, nothing is held. */
  async setWatched(watched: boolean): Promise<void> {
    this.#desired.breaksWatched = watched;
    await this.#run()?.callBreaks('watchBreaks', watched);
  }

  async list(): Promise<HeldSummary[]> {
    return (await this.#run()?.callBreaks('listHeld', null)) ?? [];
  }

  async get(id: number): Promise<HeldMessage> {
    return await this.#running.callBreaks('getHeld', id);
  }

  /** `data`: base64. */
  async write({ id, offset, data }: { id: number; offset: number; data: string }): Promise<void> {
    await this.#running.callBreaks('writeHeld', { id, offset, part: Buffer.from(data, 'base64') });
  }

  async release(id: number, release: Release): Promise<void> {
    await this.#running.callBreaks('releaseHeld', { id, release });
  }

  async releaseAll(): Promise<void> {
    await this.#run()?.callBreaks('releaseAllHeld', null);
  }

  get #running(): EngineRun {
    const run = this.#run();
    if (run === null) throw roundtripError('rules.not-held', {});
    return run;
  }
}
