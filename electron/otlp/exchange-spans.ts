import { pathTemplate } from '../../shared/format/path-template.ts';
import { parseTraceparent, spanIdOf, traceIdOf } from '../../shared/format/trace-context.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import { firstHeader } from '../../shared/model/headers.ts';
import { totalTime } from '../../shared/model/timings.ts';
import { attemptAttributes, errorTypeOf, methodOf, statusOf } from './attempt-attributes.ts';
import { nanos, type OtlpSpan, SPAN_KIND, STATUS_ERROR } from './otlp-json.ts';
import { phasesOf } from './phase-spans.ts';

export interface SpanChoice {
  /** The session's id. */
  session: string;
  /** Also exchanges whose caller decided that its trace is not sampled. */
  unsampled: boolean;
}

interface Trace {
  traceId: string;
  parentSpanId?: string;
  traceState?: string;
}

/** The trace that the request names, or one of the exchange's own; null: it is not sampled. */
function traceOf({ id, request }: Exchange, { session, unsampled }: SpanChoice): Trace | null {
  const named = parseTraceparent(firstHeader(request.headers, 'traceparent'));
  if (named === null) return { traceId: traceIdOf(session, id, undefined) };
  if (!named.sampled && !unsampled) return null;
  const traceState = firstHeader(request.headers, 'tracestate');
  return { traceId: named.traceId, parentSpanId: named.parentId, ...(traceState && { traceState }) };
}

function phaseSpans(exchange: Exchange, trace: Trace, session: string): OtlpSpan[] {
  const last = exchange.attempts.length - 1;
  const idOf = (phase: number) => spanIdOf(session, exchange.id, last, phase);
  return phasesOf(exchange).map(({ index, name, from, to, within }) => ({
    traceId: trace.traceId,
    spanId: idOf(index),
    parentSpanId: idOf(within),
    name,
    kind: SPAN_KIND.internal,
    startTimeUnixNano: nanos(exchange.startedAt + from),
    endTimeUnixNano: nanos(exchange.startedAt + to),
    attributes: [],
  }));
}

/**
 * Files of other tools name no attempts: a response that no rule gave counts as the result of one, which lasted as long
 * as the exchange.
 */
function withAttempts(exchange: Exchange): Exchange {
  const { attempts, response, rules, timings } = exchange;
  if (attempts.length > 0 || response === null || rules.length > 0) return exchange;
  const whole = { startedAfter: 0, duration: totalTime(timings), failure: null, retryReason: null };
  return { ...exchange, attempts: [{ ...whole, connection: exchange.upstream }] };
}

/**
 * The spans of an exchange that has ended: a CLIENT span for each attempt, and the phases of the last as its INTERNAL
 * children. Empty for exchanges without an attempt, for tunnels, and for traces that are not sampled.
 */
export function exchangeSpans(recorded: Exchange, choice: SpanChoice): OtlpSpan[] {
  const exchange = withAttempts(recorded);
  const { id, kind, state, startedAt, attempts, request, failure } = exchange;
  const trace = kind === 'http' || kind === 'upgrade' ? traceOf(exchange, choice) : null;
  if (trace === null) return [];
  const end = totalTime(exchange.timings);
  const name = `${methodOf(exchange)} ${pathTemplate(request.path)}`;
  const clients = attempts.map((attempt, index): OtlpSpan => {
    const isLast = index === attempts.length - 1;
    const ended = attempt.startedAfter + attempt.duration;
    const isError = state !== 'aborted' && errorTypeOf(attempt, statusOf(exchange, index)) !== null;
    const message = attempt.failure?.message ?? failure?.message;
    return {
      ...trace,
      spanId: spanIdOf(choice.session, id, index, 0),
      name,
      kind: SPAN_KIND.client,
      startTimeUnixNano: nanos(startedAt + attempt.startedAfter),
      endTimeUnixNano: nanos(startedAt + (isLast ? Math.max(end, ended) : ended)),
      attributes: attemptAttributes(exchange, index),
      ...(isError && { status: { code: STATUS_ERROR, ...(message !== undefined && { message }) } }),
    };
  });
  return clients.length === 0 ? [] : [...clients, ...phaseSpans(exchange, trace, choice.session)];
}
