import { headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import { hostPattern } from './host-pattern.ts';

type FieldChanges = Pick<ChangeMessage, 'removeHeaders' | 'setHeaders' | 'addHeaders'>;

/** Where a body ends (RFC 9112, section 6). */
const FRAMING = /^(content-length|transfer-encoding|trailer)$/i;
/** Connection-specific fields (RFC 9113, section 8.2.2). */
const NOT_IN_HTTP2 = /^(connection|proxy-connection|keep-alive|transfer-encoding|upgrade)$/i;

export function isFraming(name: string): boolean {
  return FRAMING.test(name);
}

/** Whether HTTP/2 forbids the field: a message with it is malformed. */
export function isNotInHttp2(name: string): boolean {
  return NOT_IN_HTTP2.test(name);
}

export function withoutFields(headers: RawHeaders, isDropped: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.startsWith(':') || !isDropped(name)) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}

/** Replaces the first field of this name in place, and removes the others; adds it at the end if there was none. */
export function withField(headers: RawHeaders, name: string, value: string): string[] {
  const wanted = name.toLowerCase();
  const changed: string[] = [];
  let isSet = false;
  for (let index = 0; index < headers.length; index += 2) {
    const each = headers[index] ?? '';
    if (each.toLowerCase() !== wanted) changed.push(each, headers[index + 1] ?? '');
    else if (!isSet) changed.push(each, value);
    isSet ||= each.toLowerCase() === wanted;
  }
  if (!isSet) changed.push(name, value);
  return changed;
}

/** Whether two lists are the same fields in the same order. */
export function haveSameFields(one: RawHeaders, other: RawHeaders): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** HTTP/2 has field names in lower case only (RFC 9113, section 8.2.1). */
function nameFor(isHttp2: boolean, name: string): string {
  return isHttp2 ? name.toLowerCase() : name;
}

/** The fields with the framing of `before`: a change to the fields' text does not change how the body is framed. */
export function withFraming(fields: readonly string[], before: RawHeaders): string[] {
  const wanted = headerPairs(before).filter(([name]) => isFraming(name));
  const given = headerPairs(fields).filter(([name]) => isFraming(name));
  if (JSON.stringify(wanted) === JSON.stringify(given)) return [...fields];
  return [...withoutFields(fields, isFraming), ...wanted.flat()];
}

/** Removes, sets, then adds fields. Pseudo-header fields and the framing stay; HTTP/2 gets no field that it forbids. */
export function changeFields(headers: RawHeaders, changes: FieldChanges, isHttp2: boolean): RawHeaders {
  let changed = headers;
  const isLeftOut = (name: string) => isFraming(name) || (isHttp2 && isNotInHttp2(name));
  const patterns = (changes.removeHeaders ?? []).map(hostPattern);
  const isDropped = (name: string) => !isFraming(name) && patterns.some((each) => each.test(name));
  if (patterns.length > 0) changed = withoutFields(changed, isDropped);
  for (const [name, value] of changes.setHeaders ?? [])
    if (!isLeftOut(name)) changed = withField(changed, nameFor(isHttp2, name), value);
  for (const [name, value] of changes.addHeaders ?? [])
    if (!isLeftOut(name)) changed = [...changed, nameFor(isHttp2, name), value];
  return changed;
}

/**
 * Why a change of fields is not fully applied, as a sentence without its full stop; null if it is. With another
 * framing, the receiver would read a part of the body as the next message (RFC 9112, section 11.2).
 */
export function fieldsProblem(changes: FieldChanges, isHttp2: boolean): string | null {
  const named = [...(changes.setHeaders ?? []), ...(changes.addHeaders ?? [])].map(([name]) => name);
  const framing = [...named, ...(changes.removeHeaders ?? [])].find(isFraming);
  if (framing !== undefined) return `${framing} is unchanged: it follows from the body`;
  const forbidden = isHttp2 ? named.find(isNotInHttp2) : undefined;
  return forbidden === undefined ? null : `${forbidden} is left out: HTTP/2 has no such field`;
}
