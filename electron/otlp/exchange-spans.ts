import { pathTemplate } from '../../shared/format/path-template.ts';
import { parseTraceparent, SessionIds } from '../../shared/format/trace-context.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import { firstHeader } from '../../shared/model/headers.ts';
import { knownTotal, totalTime } from '../../shared/model/timings.ts';
import { AttemptAttributes, errorTypeOf, sentBy, statusOf } from './attempt-attributes.ts';
import { RequestFrame, type Resource, SPAN, SPAN_KIND, STATUS, STATUS_ERROR } from './otlp-messages.ts';
import { PHASES, phasesOf } from './phase-spans.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

interface Trace {
  traceId: string;
  parentId: string | null;
  traceState: string | undefined;
}

/**
 * Other tools' files have no attempts: a response not given by a rule counts as the result of one, which lasted as long
 * as the exchange. If the file does not tell how long, there is none: a span needs an end, and 0 ms would be false.
 */
function withAttempts(exchange: Exchange): Exchange {
  const { attempts, response, rules, timings } = exchange;
  const duration = knownTotal(timings);
  if (attempts.length > 0 || response === null || rules.length > 0 || duration < 0) return exchange;
  const whole = { startedAfter: 0, duration, failure: null, retryReason: null };
  return { ...exchange, attempts: [{ ...whole, connection: exchange.upstream }] };
}

/** Name and kind of each phase's span, by the phase's index. */
const PHASE_FIELDS = PHASES.map((name) => {
  const writer = new ProtobufWriter();
  writer.text(SPAN.name, name);
  writer.integer(SPAN.kind, SPAN_KIND.internal);
  return writer.take();
});

/** Requests with the spans of exchanges. */
export class ExchangeSpans {
  readonly #ids: SessionIds;
  readonly #unsampled: boolean;
  readonly #frame: RequestFrame;
  readonly #writer = new ProtobufWriter();
  readonly #attributes = new AttemptAttributes();
  #opened: [number, number] | null = null;
  #spans = 0;
  /** Exchanges that have no span, because their file tells no times. */
  untimed = 0;

  /** `unsampled`: also exchanges whose caller decided that its trace is not sampled. */
  constructor(resource: Resource, unsampled: boolean) {
    this.#ids = new SessionIds(resource.session);
    this.#unsampled = unsampled;
    this.#frame = new RequestFrame(resource);
  }

  /**
   * Adds the spans of an exchange that has ended: a CLIENT span for each attempt, and the phases of the last as its
   * INTERNAL children. Returns false for exchanges without an attempt or without times, for tunnels, and for traces
   * that are not sampled.
   */
  add(recorded: Exchange): boolean {
    const { kind } = recorded;
    const trace = kind === 'http' || kind === 'upgrade' ? this.#traceOf(recorded) : null;
    if (trace === null) return false;
    const exchange = withAttempts(recorded);
    if (exchange.attempts.length === 0) {
      if (exchange.response !== null && knownTotal(exchange.timings) < 0) this.untimed += 1;
      return false;
    }
    this.#opened ??= this.#frame.open(this.#writer);
    const template = pathTemplate(sentBy(exchange).path);
    for (let index = 0; index < exchange.attempts.length; index += 1)
      this.#writeAttempt(exchange, index, trace, template);
    this.#writePhases(exchange, trace.traceId);
    return true;
  }

  /** The request with all spans that were added since the last call; null: none were. */
  take(): { bytes: Uint8Array<ArrayBuffer>; spans: number } | null {
    if (this.#opened === null) return null;
    const taken = { bytes: this.#frame.close(this.#writer, this.#opened), spans: this.#spans };
    this.#opened = null;
    this.#spans = 0;
    return taken;
  }

  /** The trace that the request names, or the exchange's own; null: it is not sampled. */
  #traceOf({ id, request: { headers } }: Exchange): Trace | null {
    const named = parseTraceparent(firstHeader(headers, 'traceparent'));
    if (named === null) return { traceId: this.#ids.trace(id), parentId: null, traceState: undefined };
    if (!named.sampled && !this.#unsampled) return null;
    return { traceId: named.traceId, parentId: named.parentId, traceState: firstHeader(headers, 'tracestate') };
  }

  #writeAttempt(exchange: Exchange, index: number, { traceId, parentId, traceState }: Trace, template: string): void {
    const attempt = exchange.attempts[index];
    if (attempt === undefined) return;
    const writer = this.#writer;
    const isLast = index === exchange.attempts.length - 1;
    const ended = attempt.startedAfter + attempt.duration;
    const span = writer.begin(RequestFrame.items);
    writer.hexadecimal(SPAN.traceId, traceId);
    writer.id64(SPAN.spanId, this.#ids.span(exchange.id, index, 0));
    if (parentId !== null) writer.hexadecimal(SPAN.parentSpanId, parentId);
    if (traceState !== undefined) writer.text(SPAN.traceState, traceState);
    writer.nanos(SPAN.start, exchange.startedAt + attempt.startedAfter);
    writer.nanos(SPAN.end, exchange.startedAt + (isLast ? Math.max(totalTime(exchange.timings), ended) : ended));
    this.#attributes.write(writer, exchange, index, template);
    const isError = exchange.state !== 'aborted' && errorTypeOf(attempt, statusOf(exchange, index)) !== null;
    if (isError) this.#writeError(attempt.failure?.message ?? exchange.failure?.message);
    writer.end(span);
    this.#spans += 1;
  }

  #writeError(message: string | undefined): void {
    const status = this.#writer.begin(SPAN.status);
    if (message !== undefined) this.#writer.text(STATUS.message, message);
    this.#writer.integer(STATUS.code, STATUS_ERROR);
    this.#writer.end(status);
  }

  #writePhases(exchange: Exchange, traceId: string): void {
    const writer = this.#writer;
    const { id, startedAt, attempts } = exchange;
    const last = attempts.length - 1;
    for (const { index, from, to, within } of phasesOf(exchange)) {
      const span = writer.begin(RequestFrame.items);
      writer.hexadecimal(SPAN.traceId, traceId);
      writer.id64(SPAN.spanId, this.#ids.span(id, last, index));
      writer.id64(SPAN.parentSpanId, this.#ids.span(id, last, within));
      writer.nanos(SPAN.start, startedAt + from);
      writer.nanos(SPAN.end, startedAt + to);
      writer.prepared(PHASE_FIELDS[index] ?? new Uint8Array());
      writer.end(span);
      this.#spans += 1;
    }
  }
}
