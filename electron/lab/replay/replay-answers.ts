import { setTimeout as delay } from 'node:timers/promises';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { describe } from '../../failures/errors.ts';
import { originOf, type ReadBody, type RecordedAnswer, type RecordedPage } from '../page/recorded-page.ts';
import { VARIANTS, type VariantPlan } from '../variants.ts';
import { AnswerBook } from './answer-book.ts';
import { BodyStore } from './body-store.ts';
import { BUNDLE_PATH, Bundle, bundlingDocument } from './bundle.ts';
import { MergedBodies } from './merged-bodies.ts';
import { RequestLog } from './request-log.ts';
import { preflightFields, responseFields } from './response-head.ts';
import { type ReplayRequest, type ReplayResponse, type ResponseParts, writeResponse } from './write-response.ts';

function headerOf({ headers }: ReplayRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isPreflight(request: ReplayRequest): boolean {
  return request.method === 'OPTIONS' && headerOf(request, 'access-control-request-method') !== undefined;
}

const EMPTY: Pick<ResponseParts, 'statusText' | 'fields' | 'size' | 'body' | 'split'> = {
  ...{ statusText: '', fields: [], size: 0, body: [], split: false },
};

const EMPTY_BODY = Buffer.alloc(0);

function withoutCoding(fields: ResponseParts['fields']): ResponseParts['fields'] {
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

/** Answers the requests of a replayed page, as one variant after the other wants it. */
export class ReplayAnswers {
  readonly log = new RequestLog();
  readonly #book: AnswerBook;
  readonly #bodies: BodyStore;
  readonly #streams = new Set<RecordedAnswer>();
  readonly #bundle: Bundle;
  readonly #merged: MergedBodies;
  #plan: VariantPlan = VARIANTS.http1;

  constructor(page: RecordedPage, read: ReadBody) {
    this.#book = new AnswerBook(page.answers);
    this.#bodies = new BodyStore(read);
    this.#bundle = new Bundle(page.answers, this.#bodies, ({ id }) => id === page.documentId);
    this.#merged = new MergedBodies(this.#bodies, [...new Set(page.answers.map(originOf))], page.origin);
  }

  /** Begins a load. */
  begin(plan: VariantPlan): void {
    this.#plan = plan;
    this.#book.reset();
    this.#streams.clear();
    this.log.reset();
  }

  /** `origin`: whose listener got the request. Never rejects. */
  async answer(origin: string, request: ReplayRequest, response: ReplayResponse): Promise<void> {
    this.log.began(isPreflight(request));
    response.once('close', () => this.log.ended());
    // The body is ignored, but must be read: the browser sends the next request after it.
    request.resume();
    // The browser may leave at any time.
    response.on('error', () => undefined);
    try {
      if (!this.#plan.keepAlive && request.httpVersionMajor === 1) response.setHeader('connection', 'close');
      await writeResponse(request.method, response, await this.#partsFor(origin, request));
    } catch (error) {
      this.log.unanswered(`${request.method} https://${origin}${request.url} (${describe(error)})`);
      response.destroy();
    }
  }

  async #partsFor(origin: string, request: ReplayRequest): Promise<ResponseParts> {
    const { method = 'GET', url = '/' } = request;
    if (this.#plan.bundle && url === BUNDLE_PATH) return await this.#bundled();
    const answer = this.#book.take({ method, origin, path: url }, this.#plan.oneHost);
    if (answer === null) return this.#missing(origin, request);
    await serverWaits(answer.serverTime);
    if (this.#isEndedStream(answer)) return { ...EMPTY, status: NO_RECONNECT };
    const isDocument = headerOf(request, 'sec-fetch-dest') === 'document' && answer.status === 200;
    const fields = responseFields(answer, { plan: this.#plan, origin: headerOf(request, 'origin'), isDocument });
    if (this.#plan.cache === 'stale' && headerOf(request, 'if-none-match') === `"${answer.id}"`)
      return { ...EMPTY, status: 304, fields };
    if (this.#plan.bundle && isDocument)
      return this.#withBody(answer, withoutCoding(fields), bundlingDocument(answer.size));
    if (this.#plan.oneHost) return await this.#mergedParts(answer, fields);
    return { ...this.#withBody(answer, fields, EMPTY_BODY), size: answer.size, body: this.#bodies.pieces(answer) };
  }

  #withBody({ status, statusText }: RecordedAnswer, fields: ResponseParts['fields'], body: Buffer): ResponseParts {
    return { status, statusText, fields, size: body.length, body: [body], split: this.#plan.nagle };
  }

  async #mergedParts(answer: RecordedAnswer, fields: ResponseParts['fields']): Promise<ResponseParts> {
    const merged = await this.#merged.body(answer);
    const here = fields.map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === 'location' ? this.#merged.url(value) : value,
    ]);
    if (merged !== null) return this.#withBody(answer, here, merged);
    return { ...this.#withBody(answer, here, EMPTY_BODY), size: answer.size, body: this.#bodies.pieces(answer) };
  }

  async #bundled(): Promise<ResponseParts> {
    await serverWaits(this.#bundle.serverTime);
    const fields: ResponseParts['fields'] = [['timing-allow-origin', '*']];
    return { ...EMPTY, status: 200, fields, size: this.#bundle.size, body: this.#bundle.pieces() };
  }

  #isEndedStream(answer: RecordedAnswer): boolean {
    if (mediaTypeOf(firstHeader(answer.headers, 'content-type')) !== 'text/event-stream') return false;
    const isRepeated = this.#streams.has(answer);
    this.#streams.add(answer);
    return isRepeated;
  }

  #missing(origin: string, request: ReplayRequest): ResponseParts {
    if (isPreflight(request)) {
      const method = headerOf(request, 'access-control-request-method') ?? '';
      const headers = headerOf(request, 'access-control-request-headers');
      return { ...EMPTY, status: 204, fields: preflightFields(headerOf(request, 'origin') ?? '*', method, headers) };
    }
    // Browsers ask for it on their own, and not in each load.
    if (request.url !== '/favicon.ico') this.log.unanswered(`${request.method} https://${origin}${request.url}`);
    return { ...EMPTY, status: 404 };
  }
}
