import { expect, it } from 'vitest';
import { annotationsOf } from '../../../../../shared/insight/check/annotations.ts';
import type { CheckResult } from '../../../../../shared/insight/check/check-result.ts';
import { junitOf } from '../../../../../shared/insight/check/junit.ts';
import { reportHtml } from '../../../../../shared/insight/report/report.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const BUDGET = { limit: 3, unit: 'count' as const, actual: 4 };
const RESULT: CheckResult = {
  ok: false,
  notes: ['A note & more'],
  sources: [
    {
      source: 'run.har',
      budgets: [
        { ...BUDGET, expression: 'count < 3', ok: false, message: 'count < 3: 4' },
        { ...BUDGET, expression: 'count < 9', ok: true, message: 'count < 9: 4' },
      ],
      findings: [
        {
          ...{
            rule: 'redirects',
            severity: 'high',
            confidence: 'high',
            title: '<script>alert(1)</script>',
            where: 'a',
            detail: '',
          },
          ...{ remedy: '100 %, now', exchanges: [1], costMs: 1, criticalMs: null, bytes: null, requests: null },
        },
      ],
    },
  ],
  baseline: [
    {
      metric: 'requests',
      where: 'a.test',
      ok: false,
      verdict: 'worse',
      base: 1,
      now: 2,
      unit: 'count',
      p: null,
      delta: null,
      message: 'requests of a.test: 2',
    },
  ],
};

it('writes JUnit, with everything escaped', () => {
  const xml = junitOf(RESULT);
  expect(xml).toContain('<testsuites name="roundtrip check" tests="3" failures="2">');
  expect(xml).toContain('name="count &lt; 3">\n      <failure message="count &lt; 3: 4"/>');
  expect(xml).toContain('<testsuite name="baseline" tests="1" failures="1">');
});

it('writes GitHub annotations for what failed, and for severe findings', () => {
  expect(annotationsOf(RESULT)).toEqual([
    '::error title=roundtrip budget run.har::count < 3: 4',
    '::error title=roundtrip baseline::requests of a.test: 2',
    '::warning title=roundtrip redirects::<script>alert(1)</script>. 100 %25, now',
  ]);
});

it('folds the figures of the HTML file that too few runs leave open', () => {
  const open = { metric: 'ttfb', ok: true, verdict: 'too-few-runs', base: 1, now: 1, unit: 'time' } as const;
  const [worse] = RESULT.baseline;
  const baseline = [
    ...(worse ? [worse] : []),
    ...['/a', '/b'].map((where) => ({ ...open, where, p: null, delta: null, message: `ttfb of ${where}` })),
  ];
  const html = reportHtml({ result: { ...RESULT, baseline }, waterfalls: [], at: '2026-01-01' });
  expect(html).toContain('<details><summary>2 times: too few runs to tell</summary>');
  expect(html).toContain('<li>ttfb of /b</li>');
  expect(html).toContain('<td>requests of a.test: 2</td>');
  expect(html).not.toContain('<td>ttfb');
  expect(reportHtml({ result: RESULT, waterfalls: [], at: '2026-01-01' })).not.toContain('<details>');
});

it('writes one HTML file without scripts, with waterfall, findings and comparison', () => {
  const row = exampleRow({}, { path: '/a"><img src=x>' });
  const html = reportHtml({
    result: RESULT,
    waterfalls: [{ source: 'run.har', rows: [row], total: 9 }],
    at: '2026-01-01',
  });
  expect(html).not.toMatch(/<script|<img|https?:\/\/(?!api)/);
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).toContain('The first 1 of 9 exchanges.');
  expect(html).toContain('<p>Cost: time lost 1.00 ms</p>');
  expect(html).toContain('<a href="#x1">1</a>');
  expect(html).toContain('<tr id="x1">');
  expect(html).toContain('requests of a.test: 2');
});
