import { expect, test } from 'vitest';
import { RuleFamilies } from '../../../../../../electron/engine/rules/index/rule-families.ts';
import { compile } from '../../../../../../shared/filter/compile.ts';
import { parseQuery } from '../../../../../../shared/filter/parse.ts';
import type { Query } from '../../../../../../shared/filter/query.ts';
import { summaryNow } from '../../../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const QUERIES = [
  'status:404',
  'host:example size:>1kb',
  'host:example size:>2kb',
  'host:example size:>=2kb',
  'host:example size:2048,4096',
  'host:example size:..10',
  'status:200',
  'status:5xx',
  'NOT size:>1kb',
  'NOT size:>5kb',
  'host:example (method:PATCH OR size:>3kb)',
  'host:example (method:PATCH OR size:<1kb)',
  'ttfb:>1s',
  'ttfb:<1s',
];

function queryOf(text: string) {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.query;
}

function rowOf(bytes: number, status = 200) {
  const { request, response, ...rest } = exampleExchange({ request: { authority: 'www.example.com' } });
  if (response === null) throw new Error('the example has a response');
  return summaryNow({ ...rest, request, response: { ...response, status, body: { ...response.body, size: bytes } } });
}

const families = new RuleFamilies(
  QUERIES.map((text) => ({ rule: text, query: queryOf(text), kind: '', anyMethod: false })),
);

test.each([
  ...[0, 9, 10, 11, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 3073, 4096, 5120, 5121].map((bytes) => [bytes, 200]),
  ...[199, 404, 499, 500, 503, 600].map((status) => [0, status]),
])('names every rule that matches %i bytes and status %i, in order', (bytes, status) => {
  const row = rowOf(bytes, status);
  const candidates = families.candidates(row, []);
  const matching = QUERIES.filter((text) => compile(queryOf(text))(row));
  expect(matching.length).toBeGreaterThan(0);
  expect(matching.filter((rule) => !candidates.includes(rule))).toEqual([]);
  expect(candidates).toEqual(QUERIES.filter((rule) => candidates.includes(rule)));
});

test('evaluates one query for hundreds of rules that differ in a number, up to the end of the range', () => {
  const asked: string[] = [];
  const counted = (query: Query): Query => {
    if (query.kind === 'and') return { ...query, parts: query.parts.map(counted) };
    if (query.kind !== 'term') return query;
    const fits: typeof query.fits = (row) => {
      asked.push(query.text);
      return query.fits(row);
    };
    return { ...query, fits };
  };
  const many = Array.from({ length: 200 }, (_, at) => {
    const query = counted(queryOf(`host:example size:>${at}kb`));
    return { rule: at, kind: 'same', anyMethod: false, query };
  });
  const index = new RuleFamilies(many);
  expect(index.at({ method: 'GET', scheme: 'https', authority: 'www.example.com', path: '/' }, [])).toEqual([0]);
  expect(index.candidates(rowOf(0), [])).toEqual([]);
  expect(asked).toEqual(['host:example']);
  expect(index.candidates(rowOf(1), [])).toHaveLength(200);
});

test('keeps a rule separate if its query does not decide', () => {
  const index = new RuleFamilies(
    [1, 2].map((rule) => ({ rule, kind: null, anyMethod: true, query: queryOf(`size:>${rule}kb`) })),
  );
  expect(index.candidates(rowOf(0), [])).toEqual([1, 2]);
});
