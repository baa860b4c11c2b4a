import type { CheckResult } from './check-result.ts';

interface Case {
  suite: string;
  name: string;
  ok: boolean;
  /** It passed because there was nothing to compare or to measure. */
  isOpen: boolean;
  message: string;
}

/** The checks of a result, one each: of budgets by source, then of baselines. */
export function casesOf({ sources, baseline }: CheckResult): Case[] {
  const budgets = sources.flatMap(({ source, budgets: lines }) =>
    lines.map(({ expression, ok, actual, message }) => {
      return { suite: `budget ${source}`, name: expression, ok, isOpen: actual === null, message };
    }),
  );
  const runs = baseline.map(({ metric, where, ok, verdict, message }) => {
    const name = where === '' ? metric : `${metric} of ${where}`;
    return { suite: 'baseline', name, ok, isOpen: verdict === 'too-few-runs', message };
  });
  return [...budgets, ...runs];
}

/**
 * JUnit's XML, as CI systems read it: valid by the schemas of Ant (windyroad/JUnit-Schema) and of Jenkins' xUnit
 * plugin. `at`: ISO 8601, in UTC. A check takes no time to speak of.
 */
export function junitOf(result: CheckResult, at: string): string {
  const cases = casesOf(result);
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite, id) =>
    suiteOf(
      `name="${escapeXml(suite)}" package="roundtrip" id="${id}" hostname="localhost" timestamp="${at.slice(0, 19)}"`,
      cases.filter((one) => one.suite === suite),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function counts(cases: readonly Case[]): string {
  const failures = cases.filter(({ ok }) => !ok).length;
  const skipped = cases.filter(({ isOpen }) => isOpen).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0"`;
}

function suiteOf(attributes: string, cases: readonly Case[]): string {
  const lines = cases.map((one) => {
    const open = `    <testcase classname="${escapeXml(one.suite)}" name="${escapeXml(one.name)}" time="0"`;
    const outcome = outcomeOf(one);
    return outcome === '' ? `${open}/>\n` : `${open}>\n      ${outcome}\n    </testcase>\n`;
  });
  const ends = '    <system-out/>\n    <system-err/>\n';
  return `  <testsuite ${attributes} ${counts(cases)}>\n    <properties/>\n${lines.join('')}${ends}  </testsuite>\n`;
}

/** Empty for a check that was made and passed. */
function outcomeOf({ ok, isOpen, message }: Case): string {
  if (!ok) return `<failure type="over" message="${escapeXml(message)}"/>`;
  return isOpen ? `<skipped message="${escapeXml(message)}"/>` : '';
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and attributes of XML and HTML. Leaves out control characters, which XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '').replace(/[^\t\n\r\x20-\uFFFD]/g, '');
}
