/** A host pattern as a test of whole host names: `*` stands for any run of characters, case does not matter. */
export function hostPattern(pattern: string): RegExp {
  const escaped = pattern
    .trim()
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 'i');
}

/** Whether any of the patterns names the host. */
export function matchesHost(patterns: readonly RegExp[], host: string): boolean {
  return patterns.some((pattern) => pattern.test(host));
}
