/** `-` if unknown (below 0), `80 µs`, `1.24 ms`, `73 ms`, `1.20 s`, `2 min 5 s`. From milliseconds. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0) return '-';
  if (milliseconds === 0) return '0 ms';
  if (milliseconds < 0.9995) return `${Math.round(milliseconds * 1000)} µs`;
  if (milliseconds < 9.995) return `${milliseconds.toFixed(2)} ms`;
  if (milliseconds < 99.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_995) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
