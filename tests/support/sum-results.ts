import fs from 'node:fs';

/** Adds up the JSON reports named on the command line, and prints `N passed, N failed, N skipped`. */
interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

function totalsOf(report: VitestReport | PlaywrightReport): Totals {
  if ('stats' in report) {
    const { expected, flaky, unexpected, skipped } = report.stats;
    // A flaky test is one that failed: it counts as such until it is fixed.
    return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
  }
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped };
}

const sum: Totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  if (!fs.existsSync(file)) {
    console.log(`${file} is missing: its runner was not reached`);
    process.exitCode = 1;
    continue;
  }
  const totals = totalsOf(JSON.parse(fs.readFileSync(file, 'utf8')) as VitestReport | PlaywrightReport);
  sum.passed += totals.passed;
  sum.failed += totals.failed;
  sum.skipped += totals.skipped;
}
if (sum.failed > 0) process.exitCode = 1;
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
