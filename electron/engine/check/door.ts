import type { CheckStep, Sighting } from '../../../shared/model/capture-check.ts';

/** What comes through a door, as a check's step. */
export type DoorStep = Extract<CheckStep, 'request' | 'secure-request' | 'refused-request'>;

/** A program that refuses everything asks for many hosts; past so many it is told of no other. */
const MOST_TOLD = 50;

/**
 * A listening address that one launched program is given as its proxy, and nobody else: what comes through it is that
 * program's, or a child's of it. So it is known whose a connection is on every platform, whatever the program is. Tells the
 * first of each kind, and each host that was refused once.
 */
export class Door {
  readonly #token: string;
  readonly #sighted: (sighting: Sighting) => void;
  readonly #told = new Set<string>();

  /** `token`: the client's, as in its check. */
  constructor(token: string, sighted: (sighting: Sighting) => void) {
    this.#token = token;
    this.#sighted = sighted;
  }

  /** Cheap where it was told before: this is called for every exchange. `detail`: of a refusal, how. */
  saw(step: DoorStep, host: string, from: string | null, detail = ''): void {
    const what = step === 'refused-request' ? `${step} ${host}` : step;
    if (this.#told.has(what) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(what);
    this.#sighted({ token: this.#token, step, detail, from });
  }

  /** Tells everything anew. */
  renew(): void {
    this.#told.clear();
  }
}
