/** Reads what the exporter sends, by the wire format and the field numbers of opentelemetry-proto. */

type Field = { kind: 'number'; value: bigint } | { kind: 'bytes'; value: Buffer };

function fieldsOf(bytes: Uint8Array): Map<number, Field[]> {
  const buffer = Buffer.from(bytes);
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer.readUInt8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > buffer.length) throw new Error(`a field of ${length} bytes at ${at} ends after the message`);
    at += length;
    return buffer.subarray(at - length, at);
  };
  while (at < buffer.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    if (![0, 1, 2].includes(wire)) throw new Error(`wire type ${wire} at ${at}`);
    const field: Field =
      wire === 0
        ? { kind: 'number', value: varint() }
        : wire === 1
          ? { kind: 'number', value: take(8).readBigUInt64LE() }
          : { kind: 'bytes', value: take(Number(varint())) };
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), field]);
  }
  return fields;
}

function bytesOf(fields: Map<number, Field[]>, number: number): Buffer[] {
  return (fields.get(number) ?? []).flatMap((field) => (field.kind === 'bytes' ? [field.value] : []));
}

function textOf(fields: Map<number, Field[]>, number: number, encoding: BufferEncoding = 'utf8'): string | undefined {
  return bytesOf(fields, number)[0]?.toString(encoding);
}

function numberOf(fields: Map<number, Field[]>, number: number): bigint {
  const [field] = fields.get(number) ?? [];
  return field?.kind === 'number' ? field.value : 0n;
}

/** A time in nanoseconds, as milliseconds with microseconds as decimals. */
function milliseconds(fields: Map<number, Field[]>, number: number): number {
  return Number(numberOf(fields, number) / 1000n) / 1000;
}

function doubleOf(bits: bigint): number {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(bits);
  return buffer.readDoubleLE();
}

function anyValue(bytes: Uint8Array): string | number | boolean {
  const fields = fieldsOf(bytes);
  if (fields.has(2)) return numberOf(fields, 2) === 1n;
  if (fields.has(3)) return Number(numberOf(fields, 3));
  return fields.has(4) ? doubleOf(numberOf(fields, 4)) : (textOf(fields, 1) ?? '');
}

function attributesOf(fields: Map<number, Field[]>, number: number): Record<string, string | number | boolean> {
  return Object.fromEntries(
    bytesOf(fields, number).map((pair) => {
      const parts = fieldsOf(pair);
      return [textOf(parts, 1) ?? '', anyValue(bytesOf(parts, 2)[0] ?? Buffer.alloc(0))];
    }),
  );
}

export interface ReadSpan {
  traceId: string | undefined;
  spanId: string | undefined;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  name: string | undefined;
  kind: number;
  /** Milliseconds since the Unix epoch. */
  start: number;
  end: number;
  attributes: Record<string, string | number | boolean>;
  status: { code: number; message: string | undefined } | undefined;
}

function spanOf(bytes: Uint8Array): ReadSpan {
  const fields = fieldsOf(bytes);
  const [status] = bytesOf(fields, 15).map(fieldsOf);
  return {
    traceId: textOf(fields, 1, 'hex'),
    spanId: textOf(fields, 2, 'hex'),
    parentSpanId: textOf(fields, 4, 'hex'),
    traceState: textOf(fields, 3),
    name: textOf(fields, 5),
    kind: Number(numberOf(fields, 6)),
    start: milliseconds(fields, 7),
    end: milliseconds(fields, 8),
    attributes: attributesOf(fields, 9),
    status: status && { code: Number(numberOf(status, 3)), message: textOf(status, 2) },
  };
}

/** Spans or metrics, each with the attributes of their resource. */
function itemsOf(request: Uint8Array): { items: Buffer[]; resource: Record<string, unknown> } {
  const [whole = new Map()] = bytesOf(fieldsOf(request), 1).map(fieldsOf);
  const [resource = new Map()] = bytesOf(whole, 1).map(fieldsOf);
  const [scope = new Map()] = bytesOf(whole, 2).map(fieldsOf);
  return { items: bytesOf(scope, 2), resource: attributesOf(resource, 1) };
}

export function resourceIn(request: Uint8Array): Record<string, unknown> {
  return itemsOf(request).resource;
}

export function spansIn(request: Uint8Array): ReadSpan[] {
  return itemsOf(request).items.map(spanOf);
}

export interface ReadPoint {
  /** Milliseconds since the Unix epoch. */
  start: number;
  at: number;
  count: number;
  sum: number;
  buckets: number[];
  bounds: number[];
  attributes: Record<string, string | number | boolean>;
}

function pointOf(bytes: Uint8Array): ReadPoint {
  const fields = fieldsOf(bytes);
  const packed = (number: number) => {
    const [all = Buffer.alloc(0)] = bytesOf(fields, number);
    return Array.from({ length: all.length / 8 }, (_, index) => all.readBigUInt64LE(index * 8));
  };
  return {
    start: milliseconds(fields, 2),
    at: milliseconds(fields, 3),
    count: Number(numberOf(fields, 4)),
    sum: doubleOf(numberOf(fields, 5)),
    buckets: packed(6).map(Number),
    bounds: packed(7).map(doubleOf),
    attributes: attributesOf(fields, 9),
  };
}

/** The data points of each histogram, by its name. */
export function histogramsIn(request: Uint8Array): Record<string, ReadPoint[]> {
  return Object.fromEntries(
    itemsOf(request).items.map((item) => {
      const metric = fieldsOf(item);
      const [histogram = new Map()] = bytesOf(metric, 9).map(fieldsOf);
      return [textOf(metric, 1) ?? '', bytesOf(histogram, 1).map(pointOf)];
    }),
  );
}
