import { setTimeout as delay } from 'node:timers/promises';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { describe } from '../../failures/errors.ts';
import { originOf, type ReadBody, type RecordedPage, type RecordedResponse } from '../page/recorded-page.ts';
import { VARIANTS, type VariantPlan } from '../variants.ts';
import { BodyStore } from './body-store.ts';
import { BUNDLE_PATH, Bundle, bundlingDocument } from './bundle.ts';
import { MergedBodies } from './merged-bodies.ts';
import type { ReplayExchange, ReplayResponse } from './replay-exchange.ts';
import { type Fields, ReplayHead } from './replay-head.ts';
import { RequestLog } from './request-log.ts';
import { ResponseBook } from './response-book.ts';
import { dependsOnOrigin, preflightFields, responseFields } from './response-head.ts';

type Asked = Pick<ReplayExchange, 'method' | 'path' | 'header'>;

/** The part of a request that most heads depend on. */
const ORDINARY: Asked = { method: 'GET', path: '', header: () => undefined };

function isPreflight(request: Asked): boolean {
  return request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined;
}

/** Statuses without a body (RFC 9110, section 6.4.1). */
function hasBody(status: number, method: string): boolean {
  return method !== 'HEAD' && status >= 200 && status !== 204 && status !== 304;
}

function withoutBody(head: ReplayHead): ReplayResponse {
  return { head, body: null, split: false };
}

function withoutCoding(fields: Fields): Fields {
  return fields.filter(([name]) => !/^content-(?:encoding|security-policy)$/i.test(name));
}

/** An event stream ends with its recording. Only this status keeps the browser from opening it again (HTML, 9.2.2). */
const NO_RECONNECT = 204;

/**
 * Waits as long as the recorded server did, in milliseconds. A timer is on average half a millisecond late and never
 * takes less than one: whole milliseconds, rounded down, are right on average. A timer for less would add a fifth of
 * a second to a page of 1,000 fast responses.
 */
async function serverWaits(time: number): Promise<void> {
  if (time >= 1) await delay(Math.floor(time));
}

/** Responds to the requests of a replayed page, as each variant requires. */
export class ReplaySource {
  readonly log = new RequestLog();
  readonly #book: ResponseBook;
  readonly #bodies: BodyStore;
  readonly #streams = new Set<RecordedResponse>();
  readonly #bundle: Bundle;
  readonly #merged: MergedBodies;
  readonly #hasCleartext: boolean;
  readonly #responses: readonly RecordedResponse[];
  /** Heads of this load that nearly all requests get, prepared before it. */
  #heads: ReadonlyMap<RecordedResponse, ReplayHead> = new Map();
  #plan: VariantPlan = VARIANTS.http1;

  constructor(page: RecordedPage, read: ReadBody) {
    this.#book = new ResponseBook(page.responses);
    this.#bodies = new BodyStore(read);
    this.#bundle = new Bundle(page.responses, this.#bodies, ({ id }) => id === page.documentId);
    this.#merged = new MergedBodies(this.#bodies, [...new Set(page.responses.map(originOf))], page.origin);
    this.#hasCleartext = page.responses.some(({ scheme }) => scheme === 'http');
    this.#responses = page.responses;
  }

  /** Whether an HTTP/1.1 connection accepts another request. */
  get keepsAlive(): boolean {
    return this.#plan.keepAlive;
  }

  /** Begins a load. */
  begin(plan: VariantPlan): void {
    this.#plan = plan;
    this.#book.reset();
    this.#streams.clear();
    this.log.reset();
    const alike = this.#responses.filter((response) => !dependsOnOrigin(response));
    this.#heads = new Map(alike.map((response) => [response, this.#headFor(response)]));
  }

  /** `origin`: whose listener got the request. Never rejects. */
  async respond(origin: string, exchange: ReplayExchange): Promise<void> {
    this.log.began(isPreflight(exchange));
    exchange.onClose((whole) => this.log.ended(whole));
    try {
      const response = this.#responseTo(origin, exchange);
      await exchange.respond(response instanceof Promise ? await response : response);
    } catch (error) {
      this.log.unanswered(`${exchange.method} https://${origin}${exchange.path} (${describe(error)})`);
      exchange.destroy();
    }
  }

  /**
   * Without a promise where nothing is waited for: a response that is sent within the read of its request leaves with
   * the others of that read, as from a server that has it at hand. Behind promises, the mean time to first byte of
   * 1,000 images was 1.25 times that server's.
   */
  #responseTo(origin: string, request: Asked): ReplayResponse | Promise<ReplayResponse> {
    const { method, path } = request;
    if (this.#plan.bundle && path === BUNDLE_PATH) return this.#bundled();
    const response = this.#book.take({ method, origin, path }, this.#plan.oneHost);
    if (response === null) return this.#missing(origin, request);
    const isUnchanged = this.#plan.cache === 'stale' && request.header('if-none-match') === `"${response.id}"`;
    const time = isUnchanged ? response.revalidationTime : response.serverTime;
    const respond = () => this.#inTime(response, request, isUnchanged);
    return time < 1 ? respond() : serverWaits(time).then(respond);
  }

  #inTime(response: RecordedResponse, request: Asked, isUnchanged: boolean): ReplayResponse | Promise<ReplayResponse> {
    if (isUnchanged) return withoutBody(new ReplayHead(304, '', this.#fieldsOf(response, request, false), null));
    if (this.#isEndedStream(response)) return withoutBody(new ReplayHead(NO_RECONNECT, '', [], null));
    return this.#recorded(response, request);
  }

  #recorded(response: RecordedResponse, request: Asked): ReplayResponse | Promise<ReplayResponse> {
    const { status, statusText, size } = response;
    const isDocument = request.header('sec-fetch-dest') === 'document' && status === 200;
    if (this.#plan.bundle && isDocument) {
      const fields = withoutCoding(this.#fieldsOf(response, request, true));
      return this.#response(new ReplayHead(status, statusText, fields, size), [bundlingDocument(size)]);
    }
    if (this.#plan.oneHost) return this.#mergedResponse(response, request, isDocument);
    const head = this.#headOf(response, request, isDocument);
    if (!hasBody(status, request.method)) return withoutBody(head);
    return this.#response(head, this.#bodies.pieces(response));
  }

  #response(head: ReplayHead, body: Iterable<Uint8Array>): ReplayResponse {
    return { head, body, split: this.#plan.nagle };
  }

  #fieldsOf(response: RecordedResponse, request: Asked, isDocument: boolean): Fields {
    const context = {
      plan: this.#plan,
      origin: request.header('origin'),
      hasCleartext: this.#hasCleartext,
      isDocument,
    };
    return responseFields(response, context);
  }

  #headOf(response: RecordedResponse, request: Asked, isDocument: boolean): ReplayHead {
    const prepared = isDocument || request.method === 'HEAD' ? undefined : this.#heads.get(response);
    return prepared ?? this.#headFor(response, request, isDocument);
  }

  #headFor(response: RecordedResponse, request = ORDINARY, isDocument = false): ReplayHead {
    const { status, statusText, size } = response;
    const fields = this.#fieldsOf(response, request, isDocument);
    return new ReplayHead(status, statusText, fields, hasBody(status, request.method) ? size : null);
  }

  async #mergedResponse(response: RecordedResponse, request: Asked, isDocument: boolean): Promise<ReplayResponse> {
    const { status, statusText, size } = response;
    const merged = await this.#merged.body(response);
    const fields = this.#fieldsOf(response, request, isDocument).map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === 'location' ? this.#merged.url(value) : value,
    ]);
    if (!hasBody(status, request.method)) return withoutBody(new ReplayHead(status, statusText, fields, null));
    const head = new ReplayHead(status, statusText, fields, merged?.length ?? size);
    return this.#response(head, merged === null ? this.#bodies.pieces(response) : [merged]);
  }

  async #bundled(): Promise<ReplayResponse> {
    await serverWaits(this.#bundle.serverTime);
    const head = new ReplayHead(200, '', [['timing-allow-origin', '*']], this.#bundle.size);
    return { head, body: this.#bundle.pieces(), split: false };
  }

  #isEndedStream(response: RecordedResponse): boolean {
    if (mediaTypeOf(firstHeader(response.headers, 'content-type')) !== 'text/event-stream') return false;
    const isRepeated = this.#streams.has(response);
    this.#streams.add(response);
    return isRepeated;
  }

  #missing(origin: string, request: Asked): ReplayResponse {
    if (isPreflight(request)) {
      const method = request.header('access-control-request-method') ?? '';
      const headers = request.header('access-control-request-headers');
      const fields = preflightFields(request.header('origin') ?? '*', method, headers);
      return withoutBody(new ReplayHead(NO_RECONNECT, '', fields, null));
    }
    // Browsers ask for it on their own, and not in each load.
    if (request.path !== '/favicon.ico') this.log.unanswered(`${request.method} https://${origin}${request.path}`);
    return { head: new ReplayHead(404, '', [], 0), body: [], split: false };
  }
}
