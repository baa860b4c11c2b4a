import { filterTerm } from '../traffic/filter-terms.ts';

/** Each media type has a slash: this is the filter for those that are unknown. */
const WITHOUT_TYPE = '-type:/';

/**
 * The filter for the exchanges of a host or media type, as many as its sum counts. `sums`: all hosts or types;
 * `ignored`: filters of the exchanges that the comparison left out.
 */
export function summedQuery(
  field: 'host' | 'type',
  name: string,
  sums: readonly { name: string }[],
  ignored: readonly string[],
): string {
  const isPart = sums.some((other) => other.name !== name && other.name.includes(name));
  const term = name === '' ? WITHOUT_TYPE : isPart ? wholeTerm(field, name) : filterTerm(field, name);
  return [term, ...ignored.map((query) => `-(${query})`)].join(' ');
}

/** A plain value also fits a part. One with a `*` fits from end to end: one fixes the beginning, the other the end. */
function wholeTerm(field: string, name: string): string {
  return `${field}:${name}* ${field}:*${name}`;
}
