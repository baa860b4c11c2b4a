import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Adds up the JSON reports named on the command line. Prints a line for each failed test, and as the last line
 * `N passed, N failed, N skipped`: of a long log only the ends are kept, and the runners name failed tests in between.
 */
interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** A line for each failed test. */
  lines: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: VitestFile[];
}

interface VitestFile {
  /** The file's path. */
  name: string;
  status: string;
  /** Why the file could not be loaded; empty if it could. */
  message: string;
  assertionResults: { status: string; ancestorTitles: string[]; title: string; failureMessages: string[] }[];
}

interface PlaywrightReport {
  /** `rootDir`: paths of files begin there. */
  config: { rootDir: string };
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
  errors: PlaywrightError[];
}

interface PlaywrightSuite {
  title: string;
  specs: PlaywrightSpec[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightSpec {
  title: string;
  /** One for each project. */
  tests: { status: string; results: { errors: PlaywrightError[] }[] }[];
}

interface PlaywrightError {
  message?: string;
  location?: { file: string };
}

const BROKEN = 'a hook of this file failed, or its worker ended';

/** Failed tests that are named; the others are counted. */
const NAMED = 50;

/** `FAILED tests/unit/a.test.ts > adds > two numbers: AssertionError: expected 3 to be 4`. */
function lineOf(mark: string, names: readonly string[], error: string | undefined): string {
  const [first = ''] = stripVTControlCharacters(error ?? '')
    .trim()
    .split('\n');
  return `${mark} ${names.filter(Boolean).join(' > ')}: ${first.trim() || 'no reason was reported'}`;
}

function fromHere(file: string): string {
  return path.relative('', file);
}

function failedInFile({ name, assertionResults }: VitestFile): string[] {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title, failureMessages }) =>
      lineOf('FAILED', [fromHere(name), ...ancestorTitles, title], failureMessages[0]),
    );
}

function vitestTotals({ testResults, ...counts }: VitestReport): Totals {
  // A file that could not be loaded has no test, and one whose hook failed or whose worker ended has no failed one.
  const broken = testResults.filter((file) => file.status === 'failed' && failedInFile(file).length === 0);
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + broken.length,
    skipped: counts.numPendingTests + counts.numTodoTests,
    lines: [
      ...testResults.flatMap(failedInFile),
      ...broken.map(({ name, message }) => lineOf('FAILED', [fromHere(name)], message || BROKEN)),
    ],
  };
}

/** `names`: of the suites around it. */
function failedInSuite({ title, specs, suites = [] }: PlaywrightSuite, names: readonly string[]): string[] {
  const within = [...names, title];
  const lines = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const [error] = results.flatMap(({ errors }) => errors);
        return lineOf(status === 'flaky' ? 'FLAKY' : 'FAILED', [...within, spec.title], error?.message);
      }),
  );
  return [...lines, ...suites.flatMap((suite) => failedInSuite(suite, within))];
}

function playwrightTotals({ config, stats, suites, errors }: PlaywrightReport): Totals {
  const files = suites.map((suite) => ({ ...suite, title: fromHere(path.join(config.rootDir, suite.title)) }));
  return {
    passed: stats.expected,
    // A flaky test is one that failed: it counts as such until it is fixed.
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    lines: [
      ...files.flatMap((suite) => failedInSuite(suite, [])),
      ...errors.map(({ message, location }) =>
        lineOf('FAILED', [location === undefined ? 'Playwright' : fromHere(location.file)], message),
      ),
    ],
  };
}

const sum: Totals = { passed: 0, failed: 0, skipped: 0, lines: [] };
for (const file of process.argv.slice(2)) {
  if (!fs.existsSync(file)) {
    console.log(`${file} is missing: its runner was not reached`);
    process.exitCode = 1;
    continue;
  }
  const report = JSON.parse(fs.readFileSync(file, 'utf8')) as VitestReport | PlaywrightReport;
  const totals = 'stats' in report ? playwrightTotals(report) : vitestTotals(report);
  sum.passed += totals.passed;
  sum.failed += totals.failed;
  sum.skipped += totals.skipped;
  sum.lines.push(...totals.lines);
}
if (sum.failed > 0) process.exitCode = 1;
for (const line of sum.lines.slice(0, NAMED)) console.log(line);
if (sum.lines.length > NAMED) console.log(`and ${sum.lines.length - NAMED} more`);
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
