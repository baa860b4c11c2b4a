import { Waypoints } from 'lucide-react';
import { traceIdOf } from '../../../shared/format/trace-context.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { useTable, useWindow } from '../app-context.ts';

/** Opens the exchange's trace in the tracing backend. Nothing without an address for traces. */
export function TraceLink({ exchange }: { exchange: Exchange }) {
  const { sessionId } = useTable();
  const template = useWindow((state) => state.settings.otlp.traceLink);
  if (template === '' || exchange.attempts.length === 0) return null;
  const traceId = traceIdOf(sessionId, exchange.id, firstHeader(exchange.request.headers, 'traceparent'));
  return (
    <a
      className="copy"
      href={template.replaceAll('{traceId}', traceId)}
      target="_blank"
      rel="noreferrer"
      title={`Open trace ${traceId}`}
      aria-label="Open trace"
    >
      <Waypoints size={14} aria-hidden="true" />
    </a>
  );
}
