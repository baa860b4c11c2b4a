import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';

type FieldChanges = Pick<ChangeMessage, 'removeHeaders' | 'setHeaders' | 'addHeaders'>;

/** Whether a field's name matches a pattern, in which `*` stands for any characters. Case does not matter. */
function namePattern(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 'i');
}

export function withoutFields(headers: RawHeaders, isDropped: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.startsWith(':') || !isDropped(name)) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}

/** Replaces the first field of this name in its place, and removes the others; adds it at the end if there was none. */
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

/** HTTP/2 has field names in lower case only (RFC 9113, section 8.2.1). */
function nameFor(isHttp2: boolean, name: string): string {
  return isHttp2 ? name.toLowerCase() : name;
}

/** Removes, sets, then adds fields. Pseudo-header fields stay. */
export function changeFields(headers: RawHeaders, changes: FieldChanges, isHttp2: boolean): RawHeaders {
  let changed = headers;
  const patterns = (changes.removeHeaders ?? []).map(namePattern);
  if (patterns.length > 0) changed = withoutFields(changed, (name) => patterns.some((each) => each.test(name)));
  for (const [name, value] of changes.setHeaders ?? []) changed = withField(changed, nameFor(isHttp2, name), value);
  for (const [name, value] of changes.addHeaders ?? []) changed = [...changed, nameFor(isHttp2, name), value];
  return changed;
}
