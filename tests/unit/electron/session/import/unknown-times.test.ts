import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pick } from '../../../../../electron/mcp/read/row-fields.ts';
import { exportCsv } from '../../../../../electron/session/export/csv-export.ts';
import { exportHar } from '../../../../../electron/session/har/har-export.ts';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { SessionFacts } from '../../../../../electron/session/insight/session-facts.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';
import { Redactor } from '../../../../../shared/format/redact/redactor.ts';
import { compareRuns } from '../../../../../shared/insight/baseline/compare-runs.ts';
import { RunTally } from '../../../../../shared/insight/baseline/run-figures.ts';
import { parseBudgetLine } from '../../../../../shared/insight/budget/expression.ts';
import { BudgetTally } from '../../../../../shared/insight/budget/tally.ts';
import { findIn } from '../../../../../shared/insight/find.ts';
import { findPages } from '../../../../../shared/insight/pages/find-pages.ts';
import { waterfall } from '../../../../../shared/insight/report/report-waterfall.ts';
import type { ExchangeSummary } from '../../../../../shared/model/exchange-summary.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const CREATOR = { name: 'test', version: '1' };
const signal = new AbortController().signal;

/** Three redirects and a page without any time, and one with a time in all. */
const ENTRIES = [
  ...[1, 2, 3].map((at) => entry(`/old?${at}`, 301, [{ name: 'Location', value: '/' }])),
  entry('/', 200, [{ name: 'Content-Type', value: 'text/html' }]),
  { ...entry('/timed', 200, []), time: 250 },
];

function entry(url: string, status: number, headers: object[]): object {
  const fetched = [{ name: 'Sec-Fetch-Dest', value: 'document' }];
  return {
    startedDateTime: '2026-11-20T10:00:00Z',
    request: { method: 'GET', url: `https://a.test${url}`, httpVersion: 'HTTP/1.1', headers: fetched },
    response: { status, httpVersion: 'HTTP/1.1', headers, content: {}, bodySize: -1 },
  };
}

async function opened() {
  const file = path.join(temporaryFolder(), 'a.har');
  writeFileSync(file, JSON.stringify({ log: { entries: ENTRIES } }));
  const source = await openSource(file);
  onTestFinished(() => source.close());
  return { ...source, rows: source.reader.page(0, 100).rows };
}

test('rows: unknown is -1, and no filter on times takes it for a short one', async () => {
  const { rows } = await opened();
  expect(rows.map(({ total, ttfb }) => [total, ttfb])).toEqual([...Array(4).fill([-1, -1]), [250, -1]]);
  const filter = compileFilter('total:<1s');
  expect(filter.ok && rows.filter((row) => filter.matches(row)).map(({ path: of }) => of)).toEqual(['/timed']);
});

test('a HAR of it says -1 and not 0, and is the same session again', async () => {
  const { reader, rows } = await opened();
  const har = path.join(temporaryFolder(), 'b.har');
  await exportHar(
    reader,
    { path: har, query: '', window: null, redactor: null, creator: CREATOR },
    () => undefined,
    signal,
  );
  const { entries } = JSON.parse(readFileSync(har, 'utf8')).log;
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: -1, wait: -1, receive: -1 };
  expect(entries.map(({ time, timings }: { time: number; timings: object }) => [time, timings])).toEqual([
    ...Array(4).fill([0, none]),
    [250, none],
  ]);
  const again = await openSource(har);
  onTestFinished(() => again.close());
  expect(again.reader.page(0, 100).rows).toEqual(rows);
});

test('CSV: an empty cell for what is unknown', async () => {
  const { reader } = await opened();
  const file = path.join(temporaryFolder(), 'a.csv');
  await exportCsv(
    reader,
    { path: file, query: '', window: null, redactor: null, creator: CREATOR },
    () => undefined,
    signal,
  );
  const [names = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  const of = (name: string) => lines.map((line) => line.split(',')[names.split(',').indexOf(name)]);
  expect(of('total_ms')).toEqual(['', '', '', '', '250']);
  expect(of('wait_ms')).toEqual(['', '', '', '', '']);
});

test('findings and pages have no cost that nobody measured', async () => {
  const { reader } = await opened();
  const facts = await new SessionFacts(reader).read();
  const untimed = facts.slice(0, 4);
  const [found] = findIn(untimed).filter(({ rule }) => rule === 'redirects');
  expect(found).toMatchObject({
    title: 'Pages of https://a.test were redirected 3 times',
    costMs: null,
    criticalMs: null,
  });
  expect(findPages(untimed).map(({ loadMs, bytes }) => [loadMs, bytes])).toEqual(Array(3).fill([-1, 0]));
  expect(findPages(facts).at(-1)?.loadMs).toBe(250);
});

test('a report draws a dash, and baselines have no figure of it', async () => {
  const { rows } = await opened();
  const untimed = rows.slice(0, 1);
  expect(waterfall('a', untimed, 1, new Map())).toContain('<td>-</td><td>-</td>');
  expect(waterfall('a', rows, 5, new Map())).toContain('all phases 250 ms');
  const tally = new RunTally();
  for (const row of untimed) tally.add(row);
  expect(tally.figures()).toMatchObject({ total: new Map(), ttfb: new Map() });
  expect(tally.figures().exact.get('')).toMatchObject({ requests: 1, bytes: -1 });
  const known = new RunTally();
  known.add({ ...(untimed[0] as ExchangeSummary), responseSize: 22 });
  const metrics = compareRuns([tally.figures()], [known.figures()], { minimumMs: 5, minimumShare: 0.05 });
  expect(metrics.map(({ metric, verdict }) => `${metric} ${verdict}`)).not.toContain('bytes worse');
  const sum = new BudgetTally(parseBudgetLine('sum(size) < 1KB'));
  for (const row of untimed) sum.add(row);
  expect(sum.verdict([])).toMatchObject({ ok: true, actual: null });
});

test('agents get null', async () => {
  const { rows } = await opened();
  const fields = ['total', 'ttfb', 'overhead', 'size'] as const;
  const redactor = new Redactor();
  expect(pick(rows[0] as ExchangeSummary, fields, redactor)).toEqual({
    total: null,
    ttfb: null,
    overhead: null,
    size: null,
  });
  expect(pick(rows[4] as ExchangeSummary, fields, redactor)).toMatchObject({ total: 250, ttfb: null });
});
