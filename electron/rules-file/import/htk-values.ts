import * as v from 'valibot';
import { NoEquivalent } from './imported.ts';

/** A Node Buffer as JSON; some writers put base64 in it. */
export const Bytes = v.object({ type: v.literal('Buffer'), data: v.union([v.array(v.number()), v.string()]) });
export type Bytes = v.InferOutput<typeof Bytes>;
const JsonObject = v.record(v.string(), v.unknown());

export function bytesOf({ data }: Bytes): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data);
}

/** The new body of a message: HTTP Toolkit writes it as base64. Anything else is text. */
export function newBody(body: string | Bytes): string {
  const isBase64 = typeof body === 'string' && v.safeParse(v.pipe(v.string(), v.base64()), body).success;
  if (typeof body === 'string' && !isBase64) return body;
  const bytes = typeof body === 'string' ? Buffer.from(body, 'base64') : bytesOf(body);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoEquivalent('the new body is not text');
  }
}

/** How HTTP Toolkit and mockttp write `undefined`, which removes a field. */
const REMOVED = ['__http_toolkit_undefined_placeholder__', '__mockttp__transform__omit__'];

export const isRemoved = (value: unknown): boolean => typeof value === 'string' && REMOVED.includes(value);

/** An object, or one written as JSON in a string. `what`: for the message. */
export function objectOf(value: unknown, what: string): Record<string, unknown> {
  try {
    const made: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    const parsed = v.safeParse(JsonObject, made);
    if (parsed.success && !Array.isArray(made)) return parsed.output;
  } catch {
    // Not JSON: refused below.
  }
  throw new NoEquivalent(`${what} has a form that is not known here`);
}

/** An update of a JSON body as a merge patch, in which null removes: the update's own nulls can't be expressed. */
export function mergePatch(value: unknown): unknown {
  if (isRemoved(value)) return null;
  if (value === null) throw new NoEquivalent('setting a JSON field to null has no equivalent');
  if (Array.isArray(value)) throw new NoEquivalent('changing a list in a JSON body has no equivalent');
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mergePatch(each)]));
}
