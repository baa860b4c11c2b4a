import { EXPORT_RANGES_LIMIT } from '../../../shared/contract/requests/export-requests.ts';
import type { InputOf } from '../../../shared/contract/requests.ts';
import { rangesOf } from '../../../shared/model/edits/id-ranges.ts';
import { isPattern } from '../../../shared/model/export/pattern.ts';
import type { TimeWindow } from '../../state/window-state.ts';

/** Which exchanges are exported. */
export type Scope = 'all' | 'shown' | 'selected';

/** What the list holds. `visible` and `selected`: ids. */
export interface Listed {
  session: string;
  size: number;
  visible: readonly number[];
  selected: readonly number[];
  query: string;
  timeWindow: TimeWindow | null;
}

/** The applicable scopes, with their numbers of exchanges. */
export function scopesOf({ size, visible, selected }: Listed): { scope: Scope; count: number }[] {
  const scopes: { scope: Scope; count: number }[] = [{ scope: 'all', count: size }];
  if (visible.length < size) scopes.push({ scope: 'shown', count: visible.length });
  if (selected.length > 0) scopes.push({ scope: 'selected', count: selected.length });
  return scopes;
}

/** If several rows are selected, or a filter is set, those are meant. */
export function likelyScope({ size, visible, selected }: Listed): Scope {
  if (selected.length > 1) return 'selected';
  return visible.length < size ? 'shown' : 'all';
}

/** The exchanges of a scope. Null: the selected rows are too scattered for one request. */
export function choiceOf(
  scope: Scope,
  { session, visible, selected, query, timeWindow }: Listed,
): Omit<InputOf<'export.preview'>, 'patterns' | 'format'> | null {
  if (scope === 'all') return { session, query: '', window: null, ids: null };
  const everything = selected.length === visible.length;
  const ids = rangesOf(scope === 'shown' ? visible : selected);
  if (ids.length <= EXPORT_RANGES_LIMIT) return { session, query: '', window: null, ids };
  // The host evaluates the query.
  return scope === 'shown' || everything ? { session, query, window: timeWindow, ids: null } : null;
}

/** A regular expression on each line. `bad`: the first invalid line, or null. */
export function patternsOf(text: string): { patterns: string[]; bad: string | null } {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { patterns, bad: patterns.find((line) => !isPattern(line)) ?? null };
}
