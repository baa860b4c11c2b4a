/** A test of whole host names. */
export interface HostPattern {
  test(host: string): boolean;
}

/**
 * A host pattern as a test of whole host names: `*` stands for any run of characters, case does not matter. Not a
 * regular expression: five stars and a host of 253 characters would hold the engine's thread for a minute (tried), and
 * the client chooses the host. This searches each part once, from the left.
 */
export function hostPattern(pattern: string): HostPattern {
  const [first = '', ...others] = pattern.trim().toLowerCase().split('*');
  const last = others.pop();
  return {
    test: (host) => {
      const name = host.toLowerCase();
      if (last === undefined) return name === first;
      if (!name.startsWith(first)) return false;
      let from = first.length;
      for (const part of others) {
        const at = name.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return name.length - last.length >= from && name.endsWith(last);
    },
  };
}

/** Whether any of the patterns names the host. */
export function matchesHost(patterns: readonly HostPattern[], host: string): boolean {
  return patterns.some((pattern) => pattern.test(host));
}
