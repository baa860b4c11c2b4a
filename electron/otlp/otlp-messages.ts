import { ProtobufWriter } from './protobuf-writer.ts';

/** The messages of opentelemetry-proto 1.x, by the numbers of their fields. */

export const SPAN = {
  traceId: 1,
  spanId: 2,
  traceState: 3,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  start: 7,
  end: 8,
  attributes: 9,
  status: 15,
} as const;
export const STATUS = { message: 2, code: 3 } as const;
export const METRIC = { name: 1, description: 2, unit: 3, histogram: 9 } as const;
export const HISTOGRAM = { dataPoints: 1, temporality: 2 } as const;
export const DATA_POINT = { start: 2, at: 3, count: 4, sum: 5, buckets: 6, bounds: 7, attributes: 9 } as const;

export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;

/** A number is an integer; `{ double }` is one that may have decimals, even if this value has none. */
export type AttributeValue = string | number | boolean | { double: number };

/** Writes a `KeyValue`. */
export function writeAttribute(writer: ProtobufWriter, field: number, key: string, value: AttributeValue): void {
  const pair = writer.begin(field);
  writer.text(1, key);
  const any = writer.begin(2);
  if (typeof value === 'string') writer.text(1, value);
  else if (typeof value === 'boolean') writer.integer(2, Number(value));
  else if (typeof value === 'number') writer.integer(3, value);
  else writer.double(4, value.double);
  writer.end(any);
  writer.end(pair);
}

/** Fields that are the same in many messages, to be written by `prepared`. Leaves out what is null. */
export function preparedAttributes(field: number, values: Record<string, AttributeValue | null>): Uint8Array {
  const writer = new ProtobufWriter();
  for (const [key, value] of Object.entries(values)) if (value !== null) writeAttribute(writer, field, key, value);
  return writer.take();
}

/** The measuring resource: the same for all spans and metrics. */
export interface Resource {
  version: string;
  /** The session's id. */
  session: string;
}

function preparedScope({ version }: Resource): Uint8Array {
  const writer = new ProtobufWriter();
  const scope = writer.begin(1);
  writer.text(1, 'roundtrip');
  writer.text(2, version);
  writer.end(scope);
  return writer.take();
}

function preparedResource({ version, session }: Resource): Uint8Array {
  const writer = new ProtobufWriter();
  const resource = writer.begin(1);
  writer.prepared(
    preparedAttributes(1, { 'service.name': 'roundtrip', 'service.version': version, 'service.instance.id': session }),
  );
  writer.end(resource);
  return writer.take();
}

/**
 * Requests to a collector: `ResourceSpans` and `ResourceMetrics` have one shape. Data written between `open` and
 * `close` is in their list of spans, or of metrics.
 */
export class RequestFrame {
  /** The list of spans or metrics in a scope. */
  static readonly items = 2;
  readonly #resource: Uint8Array;
  readonly #scope: Uint8Array;

  constructor(resource: Resource) {
    this.#resource = preparedResource(resource);
    this.#scope = preparedScope(resource);
  }

  /** Returns what `close` needs. */
  open(writer: ProtobufWriter): [resource: number, scope: number] {
    const resource = writer.begin(1);
    writer.prepared(this.#resource);
    const scope = writer.begin(2);
    writer.prepared(this.#scope);
    return [resource, scope];
  }

  /** Ends the request and returns its bytes. */
  close(writer: ProtobufWriter, [resource, scope]: [number, number]): Uint8Array<ArrayBuffer> {
    writer.end(scope);
    writer.end(resource);
    return writer.take();
  }
}
