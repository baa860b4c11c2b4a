/** The sentence about exchanges that have no row in the session file. There is at least one. */
export function lostExchanges(count: number): string {
  if (count === 1) return '1 exchange is lost: it is not in the session file.';
  return `${count} exchanges are lost: they are not in the session file.`;
}
