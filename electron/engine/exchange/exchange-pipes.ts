import type { EngineContext } from '../engine-context.ts';
import type { ClientStream } from '../http/client-stream.ts';
import type { ResponseHead } from '../http/message.ts';
import { isStreamed } from '../rules/body-changes.ts';
import { emptyPlan, emptyResponsePlan, type RequestPlan, type ResponsePlan } from '../rules/plans.ts';
import { Lane } from '../rules/throttle/lane.ts';
import type { Link } from '../rules/throttle/link.ts';
import { Breakpoint } from './edits/breakpoint.ts';
import { EditedRequest, type RequestSource } from './edits/edited-request.ts';
import { RecordedEdits } from './edits/recorded-edits.ts';
import { carriesMessages, StreamEdits } from './edits/stream-edits.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { ExchangeRules } from './exchange-rules.ts';
import { PacedRequest } from './pace/paced-request.ts';
import { PacedResponse, type PacedResponseOwner } from './pace/paced-response.ts';
import type { PipeParts } from './pipe-parts.ts';
import { RequestPipe, type RequestPipeOwner } from './request-pipe.ts';
import { ResponsePipe } from './response-pipe.ts';
import { reportsOn, ScriptStage } from './scripts/script-stage.ts';

/** The pipes of one exchange, which exist if rules match: without them, bytes take the shortest path. */
export class ExchangePipes {
  request: RequestPipe | null = null;
  response: ResponsePipe | PacedResponse | null = null;
  /** The source of the request's body if the exchange is throttled; null: the client's stream. */
  uplink: RequestSource | null = null;
  /** Null: the exchange is not throttled. */
  lane: Lane | null = null;
  #downlink: PacedResponse | null = null;
  readonly #rules: ExchangeRules | null;
  readonly #link: Link | null;
  readonly #parts: PipeParts | null;

  private constructor(rules: ExchangeRules | null, link: Link | null, parts: PipeParts | null) {
    this.#rules = rules;
    this.#link = link;
    this.#parts = parts;
  }

  /** An exchange keeps the rules that it began with. Without any, all exchanges share one object. */
  static for(context: EngineContext, log: ExchangeLog, client: ClientStream, clock: ExchangeClock): ExchangePipes {
    const { rules, link, breaks, scripts: host } = context;
    if (rules.isEmpty && link === null) return NO_PIPES;
    const breakpoint = new Breakpoint({ client, log, breaks });
    const scripts = new ScriptStage(host.run, reportsOn(log, host.wrote));
    const request = { head: client.head };
    const stream = new StreamEdits(request, breakpoint, scripts, new RecordedEdits(log));
    const parts = { client, request, clock, log, breakpoint, stream, scripts };
    return new ExchangePipes(new ExchangeRules(rules, log.exchange), link, parts);
  }

  static none(): ExchangePipes {
    return new ExchangePipes(null, null, null);
  }

  /** Starts a pipe for the request. Returns false if no rule matches it. */
  holdRequest(owner: RequestPipeOwner): boolean {
    if (this.#parts === null) return false;
    const planned = this.#rules?.planRequest(this.#parts.client.head) ?? null;
    const link = planned?.link ?? this.#link;
    if (planned === null && link === null) return false;
    const plan = planned ?? emptyPlan();
    if (link) plan.delayMs += this.#throttle(link, this.#parts);
    this.#editMessages(plan, this.#parts);
    this.request = new RequestPipe(plan, this.#parts, owner);
    this.request.start();
    return true;
  }

  /** Starts a pipe for the response. Returns false if no rule matches it. */
  holdResponse(head: ResponseHead, owner: PacedResponseOwner): boolean {
    if (this.#parts === null) return false;
    const plan = this.#planResponse(this.#parts, head);
    if (this.lane) this.#downlink = new PacedResponse(this.lane, this.#parts.clock, owner);
    if (plan) {
      const pipe = new ResponsePipe(plan, head, this.#parts, this.#downlink ?? owner);
      this.response = pipe;
      pipe.start();
    } else if (this.#downlink) {
      this.response = this.#downlink;
      this.#downlink.respond(head);
    }
    return this.response !== null;
  }

  /** The messages of a stream may be held although no rule concerns its response. */
  #planResponse({ clock, stream, client }: PipeParts, { headers }: ResponseHead): ResponsePlan | null {
    const plan = this.#rules?.planResponse(clock) ?? null;
    if (plan) stream.takeResponse(plan);
    const mayCarry = client.head.method === 'CONNECT' || isStreamed(headers);
    return plan ?? (mayCarry && stream.touches('to-client') ? emptyResponsePlan() : null);
  }

  /** After a 101: what rules do to the messages of a WebSocket; null: nothing. */
  upgraded(): StreamEdits | null {
    if (this.#parts === null) return null;
    const { clock, stream } = this.#parts;
    const plan = this.#rules?.planResponse(clock);
    if (plan) stream.takeResponse(plan);
    return stream.touches('to-server') || stream.touches('to-client') ? stream : null;
  }

  #editMessages(plan: RequestPlan, { client, stream }: PipeParts): void {
    const { head } = client;
    stream.takeRequest(plan);
    if (head.version !== 'HTTP/2.0' || !stream.touches('to-server') || !carriesMessages(head)) return;
    this.uplink = new EditedRequest(this.uplink ?? client, head, stream);
  }

  /** The client accepts more of the response. Returns whether upstream may continue. */
  drained(): boolean {
    const hasRoom = this.#downlink?.drained() ?? true;
    if (hasRoom && this.response instanceof ResponsePipe) this.response.drained();
    return hasRoom && this.response?.isPassing !== false;
  }

  /** Returns how long the request's head needs to cross the link, milliseconds. */
  #throttle(link: Link, { client, clock }: PipeParts): number {
    const { connection, head } = client;
    // `headAt` is the earliest possible arrival: the link would be faster than its figures.
    const readAt = performance.now();
    this.lane = new Lane(link, connection);
    const crossedAt = this.lane.requestHead(head.size, head.scheme === 'https', readAt);
    this.uplink = new PacedRequest(this.lane, client, clock, crossedAt);
    return crossedAt - readAt;
  }

  /** The client has closed its side: the queue shows this on a held message. */
  clientLeft(): void {
    this.#parts?.breakpoint.clientLeft();
  }

  /** The exchange has ended. A held message has no destination; it stays in the queue if its client disconnected. */
  over(byClient: boolean): void {
    if (byClient) this.clientLeft();
    this.#parts?.breakpoint.over();
  }

  /** The exchange has ended, and its row comes next. */
  mark(): void {
    this.#rules?.mark();
  }
}

const NO_PIPES = ExchangePipes.none();
