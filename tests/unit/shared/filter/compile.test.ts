import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../../shared/filter/compile.ts';
import { describeFields } from '../../../../shared/filter/fields.ts';
import type { ExchangeSummary } from '../../../../shared/model/exchange-summary.ts';
import { summaryOf, summaryRow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

const ROW: ExchangeSummary = {
  ...summaryOf(summaryRow(exampleExchange({ id: 12 }))),
  responseSize: 20_480,
  requestSize: 10,
};

function fits(query: string, row: Partial<ExchangeSummary> = {}): boolean {
  const filter = compileFilter(query);
  if (!filter.ok) throw new Error(filter.problem.message);
  return filter.matches({ ...ROW, ...row });
}

function problemOf(query: string) {
  const filter = compileFilter(query);
  if (filter.ok) throw new Error(`${query} was accepted`);
  return filter.problem;
}

// GET https://api.test/v1/items?page=2, 200, application/json, 20 KiB, ttfb 73 ms, total 108.775 ms, overhead 0.11 ms
test.each([
  ['', true],
  ['   ', true],
  ['items', true],
  ['ITEMS', true],
  ['get', true],
  ['200', true],
  ['application/json', true],
  ['https://api.test/v1', true],
  ['"page=2"', true],
  ['nothing', false],
  ['items nothing', false],
  ['items AND api', true],
  ['nothing OR api', true],
  ['-nothing', true],
  ['-items', false],
  ['NOT items', false],
  ['NOT -items', true],
  ['api*items', true],
  ['a-b', false],
  ['or', false],
  ['constructor', false],
  ['"OR"', false],
  ['status:200', true],
  ['status:404', false],
  ['status:2xx', true],
  ['status:4XX', false],
  ['status:>=400', false],
  ['status:<400', true],
  ['status:200..299', true],
  ['status:300..', false],
  ['status:..200', true],
  ['status:404,200', true],
  ['status:4xx,5xx', false],
  ['STATUS:200', true],
  ['host:api', true],
  ['host:*.test', true],
  ['host:*.org', false],
  ['host:api*', true],
  ['path:/v1', true],
  ['path:"/v1/items?page=2"', true],
  ['path:/v1/*', true],
  ['path:/v2/*', false],
  ['url:https://api.test/v1', true],
  ['method:get', true],
  ['method:POST,PUT', false],
  ['method:POST,GET', true],
  ['method:G', false],
  ['type:json', true],
  ['type:html', false],
  ['scheme:https', true],
  ['scheme:http', false],
  ['protocol:http/1.1', true],
  ['protocol:h1', true],
  ['protocol:h2', false],
  ['ttfb:>72ms', true],
  ['ttfb:>0.073s', false],
  ['ttfb:73000us', true],
  ['ttfb:73', true],
  ['total:>1s', false],
  ['total:100ms..1s', true],
  ['overhead:>1ms', false],
  ['overhead:>100us', true],
  ['size:>10kb', true],
  ['size:20KB', true],
  ['size:>1mb', false],
  ['size:20480b', true],
  ['request-size:10', true],
  ['id:12', true],
  ['id:13..20', false],
  ['attempts:1', true],
  ['connection:1', true],
  ['connection:2', true],
  ['connection:3', false],
  ['is:complete', true],
  ['is:open,complete', true],
  ['is:failed', false],
  ['is:fresh', true],
  ['is:reused', false],
  ['error:*', false],
  ['(status:404 OR host:api) method:GET', true],
  ['status:404 OR host:api method:POST', false],
  ['status:200 OR host:api method:POST', true],
  ['-(status:404 OR method:POST)', true],
  ['-(status:200 type:json)', false],
])('%s: %s', (query, wanted) => {
  expect(fits(query)).toBe(wanted);
});

describe('unknown values', () => {
  test('a missing status matches no status', () => {
    expect(fits('status:<400', { status: 0 })).toBe(false);
    expect(fits('-status:2xx', { status: 0 })).toBe(true);
  });

  test('an unknown duration is neither long nor short', () => {
    expect(fits('ttfb:<1s', { ttfb: -1 })).toBe(false);
    expect(fits('ttfb:>0', { ttfb: -1 })).toBe(false);
  });
});

test('failures and what an exchange is', () => {
  const failed = { state: 'failed', status: 0, failureCode: 'upstream.refused' } as const;
  for (const query of ['error:upstream.*', 'error:refused', 'is:failed', 'is:error', 'refused']) {
    expect([query, fits(query, failed)]).toEqual([query, true]);
  }
  expect(fits('error:tls.*', failed)).toBe(false);
  expect(fits('is:error', { status: 503 })).toBe(true);
  expect(fits('is:reused', { timings: { ...ROW.timings, connect: -1 } })).toBe(true);
  expect(fits('is:retried', { attempts: 2 })).toBe(true);
  expect(fits('is:websocket', { kind: 'upgrade' })).toBe(true);
});

describe('an invalid query gives the place of the fault and the fix', () => {
  test.each([
    ['host:api stats:200', 9, 9, /no field stats.*put it in quotes/],
    ['statu:200', 0, 9, /Did you mean status:/],
    ['status:', 0, 7, /status:404/],
    ['status:abc', 0, 10, /"abc" is not a number: write 404/],
    ['ttfb:>10kg', 0, 10, /"kg" is not a unit here: use one of us/],
    ['status:200ms', 0, 12, /write the number alone/],
    ['status:299..200', 0, 15, /write 200..299/],
    ['size:..', 0, 7, /no limits/],
    ['is:funny', 0, 8, /Use one of open, complete/],
    ['scheme:ftp', 0, 10, /one of http, https/],
    ['protocol:h3', 0, 11, /one of h2/],
    ['a "b', 2, 1, /never closed: add another "/],
    ['(a OR b', 0, 1, /never closed: add a "\)"/],
    ['a) b', 1, 1, /no matching "\(": remove it/],
    ['a OR', 4, 0, /missing after OR/],
    ['OR a', 0, 2, /missing at the beginning before OR/],
    ['a AND )', 6, 1, /missing after AND before "\)"/],
    ['()', 1, 1, /missing after "\("/],
    ['NOT', 3, 0, /missing after NOT/],
    ['constructor:1', 0, 13, /no field constructor/],
    ['is:constructor', 0, 14, /unknown/],
    ['protocol:constructor', 0, 20, /one of h2/],
    ['ttfb:1constructor', 0, 17, /not a unit/],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 50, 1, /too deeply/],
  ])('%s', (query, position, length, message) => {
    const problem = problemOf(query);
    expect(problem).toMatchObject({ position, length });
    expect(problem.message).toMatch(message);
  });
});

describe('a query that could become valid is unfinished, not an error', () => {
  test.each([
    ['status:', /as in status:404/],
    ['status:>=', /A number is expected here: write 404/],
    ['status:4', /three digits/],
    ['status:>=40', /three digits/],
    ['status:4x', /three digits/],
    ['ttfb:>', /A number is expected here: write >200ms/],
    ['ttfb:>1.', /not a number/],
    ['size:>10ki', /not a unit/],
    ['size:..', /no limits/],
    ['protocol:h', /one of h2/],
    ['is:fai', /Use one of/],
    ['host:"a b', /never closed/],
    ['(host:api OR', /missing after OR/],
    ['(host:api', /never closed/],
    ['a NOT', /missing after NOT/],
  ])('%s', (query, message) => {
    expect(problemOf(query)).toMatchObject({ unfinished: true, message: expect.stringMatching(message) });
  });

  test.each(['status:>= host:api', 'status:4 ', 'is:funny', 'ttfb:>10kg', 'status:abc', 'stats:200', 'a) b', 'OR a'])(
    '%s is wrong, whatever follows',
    (query) => {
      expect(problemOf(query).unfinished).toBe(false);
    },
  );
});

test('every example of every field is a query, and every value that completes one', () => {
  for (const field of describeFields()) {
    expect(field.about).not.toBe('');
    expect(field.examples.length).toBeGreaterThan(0);
    for (const query of [...field.examples, ...field.values.map((value) => `${field.name}:${value}`)]) {
      expect([query, compileFilter(query).ok]).toEqual([query, true]);
    }
  }
});

test('a glob made to be slow is matched quickly', () => {
  expect(fits(`path:${'*a'.repeat(200)}*b`, { path: 'a'.repeat(20_000) })).toBe(false);
});
