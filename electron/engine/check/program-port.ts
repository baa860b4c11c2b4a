import type { CheckStep, Sighting } from '../../../shared/model/capture-check.ts';

/** What happens on a program port, as a check's step. */
export type ProgramPortStep = Extract<CheckStep, 'request' | 'secure-request' | 'refused-request'>;

/** A program that refuses every certificate asks for many hosts. Limits the reports about one program. */
const MAX_REPORTS = 50;

/**
 * A listening address that only one launched program gets as its proxy: each connection to it is from that program or one
 * of its children, on every platform. Reports the first step of each kind, and each refused host once.
 */
export class ProgramPort {
  readonly #token: string;
  readonly #sighted: (sighting: Sighting) => void;
  readonly #reported = new Set<string>();

  /** `token`: the client's, as in its check. */
  constructor(token: string, sighted: (sighting: Sighting) => void) {
    this.#token = token;
    this.#sighted = sighted;
  }

  /** Called for each exchange; cheap if this step was reported before. `detail`: how a certificate was refused. */
  saw(step: ProgramPortStep, host: string, from: string | null, detail = ''): void {
    const what = step === 'refused-request' ? `${step} ${host}` : step;
    if (this.#reported.has(what) || this.#reported.size >= MAX_REPORTS) return;
    this.#reported.add(what);
    this.#sighted({ token: this.#token, step, detail, from });
  }

  /** Reports each step again. */
  renew(): void {
    this.#reported.clear();
  }
}
