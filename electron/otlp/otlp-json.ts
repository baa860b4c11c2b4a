/** OTLP's JSON form (opentelemetry-proto 1.x): 64-bit integers are strings, ids are hexadecimal. */

export type AttributeValue = string | number | boolean;

export interface KeyValue {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };
}

export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  /** Absent: a root. */
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status?: { code: number; message?: string };
}

function otlpValue(value: AttributeValue): KeyValue['value'] {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Leaves out what is null. */
export function attributesOf(values: Record<string, AttributeValue | null>): KeyValue[] {
  return Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: otlpValue(value) }]));
}

/** From milliseconds since the Unix epoch with microseconds as decimals. */
export function nanos(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}

/** Who measures: the same for all spans and metrics. */
export interface Resource {
  version: string;
  session: string;
}

function resourceOf({ version, session }: Resource): object {
  return {
    attributes: attributesOf({
      'service.name': 'roundtrip',
      'service.version': version,
      'service.instance.id': session,
    }),
  };
}

export function tracesRequest(resource: Resource, spans: readonly OtlpSpan[]): object {
  const scopeSpans = [{ scope: { name: 'roundtrip', version: resource.version }, spans }];
  return { resourceSpans: [{ resource: resourceOf(resource), scopeSpans }] };
}

export function metricsRequest(resource: Resource, metrics: readonly object[]): object {
  const scopeMetrics = [{ scope: { name: 'roundtrip', version: resource.version }, metrics }];
  return { resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics }] };
}
