/** The sentence about exchanges that have no row in the session file. There is at least one. */
export function lostExchanges(count: number): string {
  const [what, verb] = count === 1 ? ['exchange', 'is'] : ['exchanges', 'are'];
  return `${count} ${what} could not be written to the session file and ${verb} lost.`;
}
