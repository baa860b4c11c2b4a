import type { EngineContext } from '../engine-context.ts';
import type { ResponseHead } from '../http/message.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { ExchangeRules } from './exchange-rules.ts';
import type { PipeParts } from './pipe-parts.ts';
import { RequestPipe, type RequestPipeOwner } from './request-pipe.ts';
import { ResponsePipe, type ResponsePipeOwner } from './response-pipe.ts';

/** The pipes of one exchange, which exist where rules match: without them, bytes take the shortest way. */
export class ExchangePipes {
  readonly rules: ExchangeRules;
  request: RequestPipe | null = null;
  response: ResponsePipe | null = null;
  readonly #parts: PipeParts;
  /** The rule at which the list ended for the request. */
  #lastRule = Number.POSITIVE_INFINITY;

  constructor(context: EngineContext, log: ExchangeLog, parts: PipeParts) {
    this.rules = new ExchangeRules(context.rules, log.exchange);
    this.#parts = parts;
  }

  /** Starts a pipe for the request. Returns false if no rule matches it. */
  holdRequest(owner: RequestPipeOwner): boolean {
    const plan = this.rules.planRequest(this.#parts.client.head);
    if (plan === null) return false;
    this.#lastRule = plan.lastIndex;
    this.request = new RequestPipe(plan, this.#parts, owner);
    this.request.start();
    return true;
  }

  /** Starts a pipe for the response. Returns false if no rule matches it. */
  holdResponse(head: ResponseHead, owner: ResponsePipeOwner): boolean {
    const plan = this.rules.planResponse(this.#lastRule, this.#parts.clock);
    if (plan === null) return false;
    this.response = new ResponsePipe(plan, head, this.#parts, owner);
    this.response.start();
    return true;
  }
}
