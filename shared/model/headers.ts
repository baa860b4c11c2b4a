import * as v from 'valibot';

/**
 * Header fields as they were on the wire: name and value in turn, with order, case and duplicates. `['Host', 'a.test',
 * 'Accept', 'x', 'Accept', 'y']`. Flat, because a pair array per field costs the hot path an allocation each. Bytes
 * above 0x7f are Latin-1 (RFC 9110, section 5.5: obs-text is opaque).
 */
export const RawHeadersSchema = v.pipe(v.array(v.string()), v.readonly());
export type RawHeaders = v.InferOutput<typeof RawHeadersSchema>;

/** The first value of a field, by case-insensitive name, or undefined. */
export function firstHeader(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (let index = 0; index < headers.length; index += 2) {
    const each = headers[index];
    // The length first: nearly all of them then need no lower-cased copy.
    if (each?.length === wanted.length && each.toLowerCase() === wanted) return headers[index + 1];
  }
  return undefined;
}

/** All values of a field in order, by case-insensitive name. */
export function allHeaders(headers: RawHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const each = headers[index];
    if (each?.length === wanted.length && each.toLowerCase() === wanted) values.push(headers[index + 1] ?? '');
  }
  return values;
}

/** The fields as pairs, for code off the hot path. */
export function headerPairs(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < headers.length; index += 2) pairs.push([headers[index] ?? '', headers[index + 1] ?? '']);
  return pairs;
}

/** The media type of a Content-Type value: without parameters, in lower case. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
