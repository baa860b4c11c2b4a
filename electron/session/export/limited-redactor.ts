import vm from 'node:vm';
import { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { roundtripError } from '../../failures/errors.ts';

/** The time limit of the patterns for the fields of one exchange, or for each part of a body. Milliseconds. */
const TIME_LIMIT = 1000;
/** Characters of a part. */
const PART = 4 * 1024 * 1024;

const RUN = new vm.Script('run()');
const context = vm.createContext({ run: () => undefined });

/**
 * Ends patterns that take too long: V8 backtracks, some expressions exponentially long on an ordinary text, and only
 * code that `node:vm` runs can be interrupted there. The work fails, because unsearched text may hold secrets. A call
 * costs 0.3 ms for the thread that watches it; without patterns there is no such thread.
 */
export class LimitedRedactor extends Redactor {
  readonly #isLimited: boolean;

  /** `patterns`: regular expressions. Throws an Error that names the first invalid one. */
  constructor(patterns: readonly string[]) {
    super(patterns);
    this.#isLimited = patterns.length > 0;
  }

  /** Throws `export.slow-pattern`. */
  override exchange(exchange: Exchange): Exchange {
    return this.#within(1, () => super.exchange(exchange));
  }

  /** Throws `export.slow-pattern`. */
  override body(text: string, mediaType: string, side: BodySide): string {
    return this.#within(Math.ceil(text.length / PART), () => super.body(text, mediaType, side));
  }

  #within<T>(parts: number, work: () => T): T {
    if (!this.#isLimited) return work();
    let result: { value: T } | undefined;
    context.run = () => {
      result = { value: work() };
    };
    try {
      RUN.runInContext(context, { timeout: TIME_LIMIT * Math.max(parts, 1) });
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (isLate && this.applied !== null)
        throw roundtripError('export.slow-pattern', { pattern: this.applied, seconds: TIME_LIMIT / 1000 });
      if (!isLate) throw error;
    } finally {
      context.run = () => undefined;
    }
    // Slow without a pattern: a large text on a busy machine.
    return result?.value ?? work();
  }
}
