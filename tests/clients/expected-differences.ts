/** Tests of other suites that fail behind any proxy, or behind this one, each for the reason given. */
export interface ExpectedDifference {
  reason: string;
  /** `suite file: title`. */
  tests: readonly string[];
}

export const EXPECTED_DIFFERENCES: readonly ExpectedDifference[] = [];
