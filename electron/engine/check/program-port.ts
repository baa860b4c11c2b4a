import type { CheckStep, Sighting } from '../../../shared/model/capture-check.ts';

/** A step of a capture check, observed on a program port. */
export type ProgramPortStep = Extract<CheckStep, 'request' | 'secure-request' | 'refused-request'>;

/** Limits the reports about one program: one that rejects every certificate may request many hosts. */
const MAX_REPORTS = 50;

/**
 * A listening address used as the proxy of a single launched program. Every connection to it therefore comes from that
 * program or one of its children, on every platform. Reports the first step of each kind, and each host with a rejected
 * certificate once.
 */
export class ProgramPort {
  readonly #token: string;
  readonly #sighted: (sighting: Sighting) => void;
  readonly #reported = new Set<string>();

  /** `token`: the one of the client's check. */
  constructor(token: string, sighted: (sighting: Sighting) => void) {
    this.#token = token;
    this.#sighted = sighted;
  }

  /** Called for each exchange; cheap if this step was already reported. `detail`: how a certificate was rejected. */
  saw(step: ProgramPortStep, host: string, from: string | null, detail = ''): void {
    const what = step === 'refused-request' ? `${step} ${host}` : step;
    if (this.#reported.has(what) || this.#reported.size >= MAX_REPORTS) return;
    this.#reported.add(what);
    this.#sighted({ token: this.#token, step, detail, from });
  }

  /** Allows each step to be reported again. */
  renew(): void {
    this.#reported.clear();
  }
}
