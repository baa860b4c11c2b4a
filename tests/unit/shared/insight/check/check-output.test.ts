import { expect, it } from 'vitest';
import { annotationsOf } from '../../../../../shared/insight/check/annotations.ts';
import type { BaselineVerdict, CheckResult } from '../../../../../shared/insight/check/check-result.ts';
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

it('writes JUnit as Ant and Jenkins define it, with everything escaped', () => {
  const xml = junitOf(RESULT, '2026-01-01T10:20:30.456Z');
  expect(xml).toContain('<testsuites>\n  <testsuite name="budget run.har" package="roundtrip" id="0" ');
  expect(xml).toContain('timestamp="2026-01-01T10:20:30" tests="2" failures="1" errors="0" skipped="0" time="0">');
  expect(xml).toContain('name="count &lt; 3" time="0">\n      <failure type="over" message="count &lt; 3: 4"/>');
  expect(xml).toContain('<testsuite name="baseline" package="roundtrip" id="1" ');
});

it('counts in JUnit what could not be checked as skipped', () => {
  const nothing = { ...BUDGET, actual: null, expression: 'max(ttfb) < 1', ok: true, message: 'nothing to measure' };
  const few = { ...RESULT.baseline[0], ok: true, verdict: 'too-few-runs', message: 'too few' } as BaselineVerdict;
  const result = { ...RESULT, sources: [{ source: 'a', budgets: [nothing], findings: [] }], baseline: [few] };
  const xml = junitOf(result, '2026-01-01T10:20:30.456Z');
  expect(xml.match(/skipped="1"/g)).toHaveLength(2);
  expect(xml).toContain('<skipped message="nothing to measure"/>');
  expect(xml).toContain('<skipped message="too few"/>');
});

it('writes GitHub annotations for what failed, and for severe findings', () => {
  expect(annotationsOf(RESULT)).toEqual([
    '::error title=roundtrip budget run.har::count < 3: 4',
    '::error title=roundtrip baseline::requests of a.test: 2',
    '::warning title=roundtrip redirects::<script>alert(1)</script>. 100 %25, now',
  ]);
});

it('marks a line of the HTML file that measured nothing', () => {
  const nothing = { ...BUDGET, actual: null, expression: 'max(ttfb) < 1', ok: true, message: 'nothing to measure' };
  const result = { ...RESULT, sources: [{ source: 'a', budgets: [nothing], findings: [] }] };
  const html = reportHtml({ result, waterfalls: [], at: '2026-01-01' });
  expect(html).toContain('<td><span class="verdict none">none</span></td><td>nothing to measure</td>');
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
