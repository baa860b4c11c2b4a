import type { Failure } from '../../../shared/model/failure.ts';
import { failureOf } from '../../failures/errors.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection, ClientStream } from '../http/client-stream.ts';
import type { RequestHead } from '../http/message.ts';
import { type UpstreamLoss, WITHOUT_GOAWAY } from '../http2/connection-loss.ts';
import type { Route } from '../route/route.ts';
import type { Borrower } from '../upstream/borrower.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { Origin } from '../upstream/origin.ts';
import { isRepeatable, SendHistory, type SendRetry, sendRetry } from '../upstream/retry-policy.ts';
import type { UpstreamConnection, UpstreamEnd } from '../upstream/upstream-stream.ts';
import { Attempts } from './attempts.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import { type ExchangeLog, routeOf } from './exchange-log.ts';
import { requestOrigin } from './request-origin.ts';
import { epochOf } from './wall-clock.ts';

/** The exchange that the attempts are made for. */
export interface TriesOwner {
  /** The request for upstream. */
  readonly head: RequestHead;
  /** Whether the exchange is waiting for a connection. False once it is over. */
  readonly connects: boolean;
  /** Called before a wait, during which the client may leave or send its body. */
  listen(): void;
  /** A connection was lent for the next attempt, which begins before this call returns. */
  lent(connection: UpstreamConnection): void;
  /** No connection could be obtained, and no attempt follows. */
  gaveUp(about: Failure, tcpReset: boolean, lost: UpstreamLoss): void;
  /** Runs `work`. An exception in it ends this exchange only. */
  guarded(work: () => unknown): void;
}

interface TriesParts {
  client: ClientStream;
  log: ExchangeLog;
  clock: ExchangeClock;
  owner: TriesOwner;
}

/** The attempts of one exchange: finds the route, gets a connection for each attempt, and decides whether to retry. */
export class Tries implements Borrower {
  readonly #context: EngineContext;
  readonly #client: ClientStream;
  readonly #log: ExchangeLog;
  readonly #clock: ExchangeClock;
  readonly #owner: TriesOwner;
  readonly #attempts: Attempts;
  #history: SendHistory | null = null;
  #origin: Origin | null = null;
  /** `performance.now()` when the route or a connection was requested. */
  #askedAt = -1;

  constructor(context: EngineContext, { client, log, clock, owner }: TriesParts) {
    this.#context = context;
    this.#client = client;
    this.#log = log;
    this.#clock = clock;
    this.#owner = owner;
    this.#attempts = new Attempts(log.exchange, client.headAt);
  }

  get cancelled(): boolean {
    return !this.#owner.connects;
  }

  get user(): ClientConnection {
    return this.#client.connection;
  }

  get repeatable(): boolean {
    const { method, framing } = this.#owner.head;
    const { settings, limits } = this.#context;
    const kept = framing.kind === 'none' || (framing.kind === 'length' && framing.length <= limits.resendBytes);
    return isRepeatable({ method, kept }, settings);
  }

  /** Finds the route to the origin, and a connection for the first attempt. */
  begin(): void {
    const route = this.#context.routes.find(this.#owner.head);
    if (route instanceof Promise) this.#awaitRoute(route);
    else this.#routed(route);
  }

  #awaitRoute(route: Promise<Route>): void {
    this.#owner.listen();
    this.#askedAt = performance.now();
    route.then(
      (found) => this.#owner.guarded(() => this.#owner.connects && this.#routed(found)),
      (error: unknown) => this.unconnected(error),
    );
  }

  #routed(route: Route): void {
    const { connection } = this.#client;
    this.#origin = requestOrigin(this.#context, connection, this.#owner.head, route);
    this.#log.exchange.route = routeOf(this.#origin);
    this.#connect(this.#origin, 'any-connection');
  }

  #connect(origin: Origin, over: SendRetry): void {
    const fresh = over === 'fresh-connection';
    const free = fresh ? null : this.#context.pool.take(origin, this);
    if (free) {
      this.#owner.lent(free);
      return;
    }
    this.#log.changed();
    this.#owner.listen();
    this.#askedAt = performance.now();
    this.#context.pool.acquire(origin, this);
  }

  connected(connection: UpstreamConnection): void {
    if (!this.#owner.connects) {
      if (connection.hasRoom) this.#context.pool.free(connection);
      return;
    }
    const { opening } = connection;
    this.#clock.waited(this.#askedAt, opening === null ? performance.now() : opening.endedAt - opening.late);
    this.#owner.guarded(() => this.#owner.lent(connection));
  }

  unconnected(error: unknown): void {
    if (!this.#owner.connects) return;
    if (!(error instanceof ConnectionError)) {
      this.#owner.gaveUp(failureOf(error), false, null);
      return;
    }
    if (this.#log.exchange.route) this.#log.exchange.route.answer = error.response;
    this.#clock.unopened(error, this.#askedAt);
    this.#attempts.unopened(error, this.#askedAt);
    this.#owner.gaveUp(error.failure, error.failure.cause === 'ECONNRESET', WITHOUT_GOAWAY);
  }

  /** An attempt begins on `connection`. Its opening is shown with the attempt if it was opened for this exchange. */
  began(connection: UpstreamConnection): void {
    const { exchange } = this.#log;
    const opening = connection.opening;
    connection.opening = null;
    this.#clock.lent(opening);
    if (opening) {
      this.#attempts.connectingFailed(opening.failed);
      exchange.startedAt = epochOf(this.#clock.startedAt);
    }
    exchange.upstream = { ...connection.info };
    this.#client.connection.sticky = connection;
    const startedAt = opening ? Math.max(opening.startedAt, this.#client.headAt) : performance.now();
    this.#attempts.begin(startedAt, exchange.upstream);
  }

  /** Whether another attempt follows after `end`. `kept`: the request body received so far can be sent again. */
  again(end: UpstreamEnd, kept: boolean): boolean {
    const origin = this.#origin;
    const again = this.#decide(end, kept);
    if (again === 'no' || !origin) return false;
    this.#attempts.end(end.failure, end.retry);
    this.#clock.retry();
    this.#log.reached(this.#clock);
    // Deferred to a microtask: the failed connection's code is still on the stack.
    queueMicrotask(() => this.#owner.guarded(() => this.#owner.connects && this.#connect(origin, again)));
    return true;
  }

  #decide(end: UpstreamEnd, kept: boolean): SendRetry {
    if (!end.retry) return 'no';
    this.#history ??= new SendHistory();
    const again = sendRetry(
      end.retry,
      this.#history,
      { method: this.#owner.head.method, kept },
      this.#context.settings,
    );
    this.#history.count(end.retry);
    return again;
  }

  /** The last attempt ended; `about`: its failure, or null. */
  ended(about: Failure | null): void {
    this.#attempts.end(about, null);
  }
}
