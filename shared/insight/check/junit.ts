import type { CheckResult } from './check-result.ts';

interface Case {
  suite: string;
  name: string;
  ok: boolean;
  message: string;
}

/** The checks of a result, one each: of budgets by source, then of baselines. */
export function casesOf({ sources, baseline }: CheckResult): Case[] {
  const budgets = sources.flatMap(({ source, budgets: lines }) =>
    lines.map(({ expression, ok, message }) => ({ suite: `budget ${source}`, name: expression, ok, message })),
  );
  const runs = baseline.map(({ metric, where, ok, message }) => {
    return { suite: 'baseline', name: where === '' ? metric : `${metric} of ${where}`, ok, message };
  });
  return [...budgets, ...runs];
}

/** JUnit's XML, as CI systems read it. */
export function junitOf(result: CheckResult): string {
  const cases = casesOf(result);
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite) =>
    suiteOf(
      suite,
      cases.filter((one) => one.suite === suite),
    ),
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="roundtrip check" ${counts(cases)}>\n` +
    `${suites.join('')}</testsuites>\n`
  );
}

function counts(cases: readonly Case[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ ok }) => !ok).length}"`;
}

function suiteOf(name: string, cases: readonly Case[]): string {
  const lines = cases.map(({ name: of, ok, message }) => {
    const open = `    <testcase classname="${escapeXml(name)}" name="${escapeXml(of)}"`;
    return ok ? `${open}/>\n` : `${open}>\n      <failure message="${escapeXml(message)}"/>\n    </testcase>\n`;
  });
  return `  <testsuite name="${escapeXml(name)}" ${counts(cases)}>\n${lines.join('')}  </testsuite>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and attributes of XML and HTML. Leaves out control characters, which XML 1.0 forbids. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '').replace(/[^\t\n\r\x20-\uFFFD]/g, '');
}
