import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryNow } from '../../../shared/model/exchange-summary.ts';
import { type KnownFields, knownFields } from '../../../shared/model/rule/known-fields.ts';
import type { RequestHead } from '../http/message.ts';
import { asksForWebSocket } from '../rules/messages/stream-reader.ts';
import { bodyChanges } from '../rules/planned-change.ts';
import { emptyPlan, NO_RESULT, type RequestPlan, type RequestResult, type ResponsePlan } from '../rules/plans.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { ExchangeClock } from './exchange-clock.ts';

/** Whether the client's messages must be readable. */
function touchesMessages({ messageHold, messageScripts, changes }: RequestPlan): boolean {
  return messageHold !== null || messageScripts.length > 0 || bodyChanges(changes).length > 0;
}

/** What the rules do to one exchange, and its record. The exchange keeps the rules that it began with. */
export class ExchangeRules {
  readonly #book: RuleBook;
  readonly #exchange: Exchange;
  #request: RequestResult = NO_RESULT;

  constructor(book: RuleBook, exchange: Exchange) {
    this.#book = book;
    this.#exchange = exchange;
  }

  planRequest({ method, headers }: RequestHead): RequestPlan | null {
    const plan = this.#onRequest(asksForWebSocket(method, headers), [headers]);
    if (plan) {
      this.#request = plan;
      this.#exchange.rules.push(...plan.outcomes);
    }
    return plan;
  }

  #onRequest(isWebSocket: boolean, fields: KnownFields): RequestPlan | null {
    const place = this.#exchange.request;
    const mayAct =
      this.#book.mayActOnRequest(place, fields) || (isWebSocket && this.#book.mayActOnResponse(place, fields));
    if (!mayAct) return null;
    const row = summaryNow(this.#exchange);
    const plan = this.#book.onRequest(row, fields);
    if (!isWebSocket) return plan;
    const reads = this.#book.changesMessages(row, fields) || (plan !== null && touchesMessages(plan));
    return reads ? { ...(plan ?? emptyPlan()), readsMessages: true } : plan;
  }

  /** `clock`: response rules may match by the phases so far. */
  planResponse(clock: ExchangeClock): ResponsePlan | null {
    const fields = knownFields(this.#exchange, 'response');
    if (!this.#book.mayActOnResponse(this.#exchange.request, fields)) return null;
    clock.write(this.#exchange.timings);
    const plan = this.#book.onResponse(summaryNow(this.#exchange), fields, this.#request);
    if (plan) this.#exchange.rules.push(...plan.outcomes);
    return plan;
  }

  /** The exchange has ended, and its row comes next. */
  mark(): void {
    const fields = knownFields(this.#exchange, 'end');
    if (!this.#book.mayMark(this.#exchange.request, fields)) return;
    const { mark, outcomes } = this.#book.marksOf(summaryNow(this.#exchange), fields);
    this.#exchange.mark = mark;
    this.#exchange.rules.push(...outcomes);
  }
}
