import { counted, grouped } from '../../../../shared/format/counts.ts';
import type { SearchState } from '../../../state/window-state.ts';

/**
 * What an empty list of `size` exchanges says. A search that was stopped, or failed, says nothing about the exchanges
 * that it did not reach.
 */
export function noMatchText(size: number, search: Pick<SearchState, 'searched'> | null): string {
  const known = search === null ? size : Math.min(search.searched, size);
  const none = `None of ${counted(known, 'exchange')} ${known === 1 ? 'matches' : 'match'} the filter.`;
  if (known === size) return none;
  return `${none} ${grouped(size - known)} ${size - known === 1 ? 'was' : 'were'} not searched.`;
}
