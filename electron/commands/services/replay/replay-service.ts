import { withVariables } from '../../../../shared/format/variables.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';
import type { ReplayOf } from '../../../../shared/model/replay/replay-of.ts';
import type { ReplayRequest, ReplayResult } from '../../../../shared/model/replay/replay-request.ts';
import { roundtripError } from '../../../failures/errors.ts';
import type { StartedReplay } from '../../../worker/engine-run.ts';
import type { RecordedBody, ReplayContent } from '../../../worker/replay/replay-content.ts';
import { composedRequest, type Original } from './composed-request.ts';
import { checkBodyKept, recordedRequest } from './recorded-request.ts';
import { MOST_REDIRECTS, redirected } from './redirect.ts';
import { fileBody, formBody } from './written-body.ts';

export interface ReplayOptions {
  engine: { replay(request: ReplayRequest, body: ReplayContent): Promise<StartedReplay> };
  sessions: { of(id: string): RecordedBody['session'] & { exchange(id: number): Promise<Exchange> } };
  /** Of the saved requests. */
  variables(): Readonly<Record<string, string>>;
}

/** Sends requests that are recorded in any open session, or written by the user. */
export class ReplayService {
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /**
   * Sends a recorded request once more, as it was. Resolves when the new exchange has begun. Rejects with `replay.*`,
   * `session.not-found` or `session.not-open`.
   */
  async resend({ session, exchange: id }: ReplayOf): Promise<StartedReplay> {
    const { engine, sessions } = this.#options;
    const recorded = sessions.of(session);
    const exchange = await recorded.exchange(id);
    const { size } = exchange.request.body;
    return await engine.replay(recordedRequest(exchange, session), { session: recorded, exchange: id, size });
  }

  /**
   * Sends a written request. `of`: the exchange that was edited, or null for a new one. Resolves when its exchange has
   * begun; `ended` then awaits the last redirect that it follows. Rejects with `replay.*`, `session.not-found` or
   * `session.not-open`.
   */
  async send(written: ComposedRequest, of: ReplayOf | null): Promise<StartedReplay> {
    const request = written.variables ? this.#filled(written) : written;
    const original = of && (await this.#original(of));
    const { exchange, ended } = await this.#sendOne(request, original);
    if (!request.redirects) return { exchange, ended };
    return { exchange, ended: ended.then((result) => this.#follow(request, original, result)) };
  }

  async #original({ session, exchange }: ReplayOf): Promise<Original> {
    return { exchange: await this.#options.sessions.of(session).exchange(exchange), session };
  }

  #filled(written: ComposedRequest): ComposedRequest {
    const { request, unknown } = withVariables(written, this.#options.variables());
    if (unknown.length > 0) throw roundtripError('replay.unknown-variables', { names: unknown.join(', ') });
    return request;
  }

  async #sendOne(request: ComposedRequest, original: Original | null): Promise<StartedReplay> {
    const { body, headers } = await this.#contentOf(request, original);
    const size = body instanceof Uint8Array ? body.length : body.size;
    return await this.#options.engine.replay(composedRequest({ ...request, headers }, original, size), body);
  }

  /** What goes out behind the head, and the fields with it: a form names its boundary there. */
  async #contentOf(
    { body, headers }: ComposedRequest,
    original: Original | null,
  ): Promise<{ body: ReplayContent; headers: ComposedRequest['headers'] }> {
    if (body.kind === 'form') return await formBody(body.parts, headers);
    if (body.kind === 'file') return { body: await fileBody(body.path), headers };
    if (body.kind === 'recorded') return { body: this.#recordedBody(original), headers };
    return { body: Buffer.from(body.kind === 'text' ? body.text : ''), headers };
  }

  #recordedBody(original: Original | null): ReplayContent {
    if (original === null) throw roundtripError('replay.bad-request', { detail: 'there is no recorded body to send' });
    const { exchange, session } = original;
    checkBodyKept(exchange);
    return { session: this.#options.sessions.of(session), exchange: exchange.id, size: exchange.request.body.size };
  }

  async #follow(request: ComposedRequest, original: Original | null, first: ReplayResult): Promise<ReplayResult> {
    let result = first;
    let now = request;
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      const next = redirected(now, result);
      if (next === null) return result;
      now = next;
      const { ended } = await this.#sendOne(next, original);
      result = await ended;
    }
    return result;
  }
}
