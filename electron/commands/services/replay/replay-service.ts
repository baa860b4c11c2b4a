import type { Exchange } from '../../../../shared/model/exchange.ts';
import type { ReplayRequest } from '../../../../shared/model/replay/replay-request.ts';
import type { StartedReplay } from '../../../worker/engine-run.ts';
import type { RecordedBody, ReplayContent } from '../../../worker/replay/replay-content.ts';
import { recordedRequest } from './recorded-request.ts';

export interface ReplayOptions {
  engine: { replay(request: ReplayRequest, body: ReplayContent): Promise<StartedReplay> };
  sessions: { of(id: string): RecordedBody['session'] & { exchange(id: number): Promise<Exchange> } };
}

/** Sends requests again that are recorded in any open session. */
export class ReplayService {
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /**
   * Sends a recorded request once more, as it was. Resolves when the new exchange has begun. Rejects with `replay.*`,
   * `session.not-found` or `session.not-open`.
   */
  async resend(session: string, id: number): Promise<StartedReplay> {
    const { engine, sessions } = this.#options;
    const recorded = sessions.of(session);
    const exchange = await recorded.exchange(id);
    const { size } = exchange.request.body;
    return await engine.replay(recordedRequest(exchange, session), { session: recorded, exchange: id, size });
  }
}
