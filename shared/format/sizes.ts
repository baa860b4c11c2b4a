const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `-` if unknown (below 0), `0 B`, `999 B`, `1.2 KB`, `340 KB`: three digits at most; 1 KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 0) return '-';
  let value = bytes;
  let unit = 0;
  // 999.5 and above would need four digits.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : threeDigits(value)} ${UNITS[unit]}`;
}

function threeDigits(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0);
}

/** A limit in a sentence, without a needless decimal: `1 MB`. */
export function formatLimit(bytes: number): string {
  return formatBytes(bytes).replace('.0 ', ' ');
}
