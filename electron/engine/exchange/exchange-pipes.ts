import type { EngineContext } from '../engine-context.ts';
import type { ClientStream } from '../http/client-stream.ts';
import type { ResponseHead } from '../http/message.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { ExchangeRules } from './exchange-rules.ts';
import type { PipeParts } from './pipe-parts.ts';
import { RequestPipe, type RequestPipeOwner } from './request-pipe.ts';
import { ResponsePipe, type ResponsePipeOwner } from './response-pipe.ts';

/** The pipes of one exchange, which exist where rules match: without them, bytes take the shortest way. */
export class ExchangePipes {
  request: RequestPipe | null = null;
  response: ResponsePipe | null = null;
  readonly #rules: ExchangeRules | null;
  readonly #parts: PipeParts | null;
  /** The rule at which the list ended for the request. */
  #lastRule = Number.POSITIVE_INFINITY;

  private constructor(rules: ExchangeRules | null, parts: PipeParts | null) {
    this.#rules = rules;
    this.#parts = parts;
  }

  /** An exchange keeps the rules that it began with. Without any, all exchanges share one object. */
  static for({ rules }: EngineContext, log: ExchangeLog, client: ClientStream, clock: ExchangeClock): ExchangePipes {
    return rules.isEmpty ? NO_PIPES : new ExchangePipes(new ExchangeRules(rules, log.exchange), { client, clock });
  }

  static none(): ExchangePipes {
    return new ExchangePipes(null, null);
  }

  /** Starts a pipe for the request. Returns false if no rule matches it. */
  holdRequest(owner: RequestPipeOwner): boolean {
    if (this.#parts === null) return false;
    const plan = this.#rules?.planRequest(this.#parts.client.head);
    if (!plan) return false;
    this.#lastRule = plan.lastIndex;
    this.request = new RequestPipe(plan, this.#parts, owner);
    this.request.start();
    return true;
  }

  /** Starts a pipe for the response. Returns false if no rule matches it. */
  holdResponse(head: ResponseHead, owner: ResponsePipeOwner): boolean {
    if (this.#parts === null) return false;
    const plan = this.#rules?.planResponse(this.#lastRule, this.#parts.clock);
    if (!plan) return false;
    this.response = new ResponsePipe(plan, head, this.#parts, owner);
    this.response.start();
    return true;
  }

  /** The exchange has ended, and its row comes next. */
  mark(): void {
    this.#rules?.mark();
  }
}

const NO_PIPES = ExchangePipes.none();
