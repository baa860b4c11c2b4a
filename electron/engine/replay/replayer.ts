import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import type { ReplayRequest, ReplayResult } from '../../../shared/model/replay/replay-request.ts';
import { NO_RULES } from '../../../shared/model/rule/rule.ts';
import { totalTime } from '../../../shared/model/timings.ts';
import type { EngineContext } from '../engine-context.ts';
import { ExchangeDriver } from '../exchange/driver.ts';
import type { Route, RouteTarget } from '../route/route.ts';
import { RuleBook } from '../rules/rule-book.ts';
import type { ReplayBody } from './replay-body.ts';
import { ReplayClients } from './replay-clients.ts';
import { replayHead } from './replay-head.ts';
import { ReplayObserver } from './replay-observer.ts';
import { ReplayStream } from './replay-stream.ts';

/** A request in progress. */
export interface Replay {
  /** Its id in the recorded session. */
  exchange: number;
  /** Never rejects. */
  ended: Promise<ReplayResult>;
}

const WITHOUT_RULES = new RuleBook(NO_RULES);

function withoutProxy(route: Route): Route {
  return { proxy: null, others: [], reason: 'the request was sent directly on demand', override: route.override };
}

function directly(routes: EngineContext['routes']): EngineContext['routes'] {
  return {
    find: (target: RouteTarget) => {
      const found = routes.find(target);
      return found instanceof Promise ? found.then(withoutProxy) : withoutProxy(found);
    },
  };
}

function resultOf({ id, response, timings, failure }: Exchange): ReplayResult {
  return {
    exchange: id,
    status: response?.status ?? 0,
    ttfb: timings.wait,
    // A sum of decimal fractions has more digits than what was measured.
    total: Math.round(totalTime(timings) * 1000) / 1000,
    failure,
    location: (response && firstHeader(response.headers, 'location')) ?? null,
  };
}

/**
 * Sends requests that no client sent. They take the same path as a client's: rules, route, pool, TLS, attempts, record.
 * There is no loopback connection in between: only the exchange is measured and sent.
 */
export class Replayer {
  readonly #context: EngineContext;
  readonly #clients: ReplayClients;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#clients = new ReplayClients(() => context.observer.nextConnectionId());
  }

  /** Throws `replay.bad-request`. */
  send(request: ReplayRequest, body: ReplayBody): Replay {
    const head = replayHead(request, body.size);
    const { connection, giveBack } = this.#clients.lend(request);
    const stream = new ReplayStream(connection, head, body, request.trailers);
    let over: (result: ReplayResult) => void = () => {};
    const ended = new Promise<ReplayResult>((resolve) => {
      over = resolve;
    });
    const observer = new ReplayObserver(this.#context.observer, request.replayOf, (exchange) => {
      stream.ended();
      giveBack();
      over(resultOf(exchange));
    });
    new ExchangeDriver(this.#contextFor(request, observer), stream).start();
    return { exchange: observer.exchangeId, ended };
  }

  /** The engine's current context, except for what this request overrides. */
  #contextFor({ rules, route }: ReplayRequest, observer: ReplayObserver): EngineContext {
    const own = {
      observer: { value: observer },
      ...(!rules && { rules: { value: WITHOUT_RULES } }),
      ...(route === 'direct' && { routes: { value: directly(this.#context.routes) } }),
    };
    return Object.create(this.#context, own);
  }
}
