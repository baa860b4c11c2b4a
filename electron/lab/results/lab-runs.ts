import { median } from '../../../shared/insight/figures.ts';
import type { LabCell, LabVariant } from '../../../shared/model/lab/lab-result.ts';
import type { PageTimings } from '../browser/page-timings.ts';
import type { RequestCounts } from '../replay/request-log.ts';
import { medianInterval } from './median-interval.ts';

/** A variant at a round-trip time: one cell of the result. */
export interface LabCase {
  variant: LabVariant;
  /** Milliseconds. */
  rtt: number;
}

interface Run extends PageTimings {
  counts: RequestCounts;
}

/** Collects the measured loads of a case. */
export class LabRuns {
  readonly case: LabCase;
  readonly #runs: Run[] = [];

  constructor(of: LabCase) {
    this.case = of;
  }

  add(timings: PageTimings, counts: RequestCounts): void {
    this.#runs.push({ ...timings, counts });
  }

  /** Requests without a response, of all runs. */
  get unanswered(): string[] {
    return this.#runs.flatMap(({ counts }) => counts.unanswered);
  }

  cell(): LabCell {
    const times = this.#runs.map(({ time }) => time);
    const time = medianInterval(times);
    const counted = (of: (counts: RequestCounts) => number): number =>
      median(this.#runs.map(({ counts }) => of(counts)));
    const distance = (run: Run): number => Math.abs(run.time - time.median);
    const typical = this.#runs.toSorted((one, other) => distance(one) - distance(other))[0];
    return {
      ...this.case,
      times,
      time,
      ttfb: median(this.#runs.map(({ ttfb }) => ttfb)),
      requests: counted(({ requests }) => requests),
      connections: counted(({ connections }) => connections),
      preflights: counted(({ preflights }) => preflights),
      unanswered: Math.max(...this.#runs.map(({ counts }) => counts.unanswered.length)),
      waterfall: typical?.requests ?? [],
    };
  }
}
