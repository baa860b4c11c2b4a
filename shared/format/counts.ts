/** `1 exchange`, `1,234 exchanges`: the number with its noun, which gets an `s` if it needs one. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
