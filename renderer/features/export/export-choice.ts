import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import { EXPORT_RANGES_LIMIT } from '../../../shared/contract/requests/export-requests.ts';
import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import { rangesOf } from '../../../shared/model/edits/id-ranges.ts';
import { isPattern } from '../../../shared/model/export/pattern.ts';

/** Which exchanges are exported. */
export type Scope = 'all' | 'shown' | 'selected';

/** What the list holds. `visible` and `selected`: ids. */
export interface Listed {
  session: string;
  size: number;
  visible: readonly number[];
  selected: readonly number[];
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

type Choice = Omit<InputOf<'export.preview'>, 'patterns' | 'format'>;

/** The exchanges of a scope. `ids`: as many as there are. */
export function choiceOf(scope: Scope, { session, visible, selected }: Listed): Choice {
  const everything = { session, query: '', window: null };
  return { ...everything, ids: scope === 'all' ? null : rangesOf(scope === 'shown' ? visible : selected) };
}

/**
 * An export or a preview, whatever the number of ids. They are sent ahead in the same turn: nothing that this window
 * asks for comes between.
 */
export function requestChosen<N extends 'session.export' | 'export.preview'>(
  api: InspectorApi,
  name: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  const { ids } = input;
  if (ids === null || ids.length <= EXPORT_RANGES_LIMIT) return api.request(name, input);
  const sent: Promise<unknown>[] = [];
  let from = 0;
  for (; ids.length - from > EXPORT_RANGES_LIMIT; from += EXPORT_RANGES_LIMIT)
    sent.push(api.request('export.ids', { ids: ids.slice(from, from + EXPORT_RANGES_LIMIT) }));
  const answer = api.request(name, { ...input, ids: ids.slice(from) });
  return Promise.all([answer, ...sent]).then(([output]) => output);
}

/** A regular expression on each line. `bad`: the first invalid line, or null. */
export function patternsOf(text: string): { patterns: string[]; bad: string | null } {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { patterns, bad: patterns.find((line) => !isPattern(line)) ?? null };
}
