import { expect, test } from 'vitest';
import { RuleIndex } from '../../../../../../electron/engine/rules/index/rule-index.ts';
import { TextFinder } from '../../../../../../electron/engine/rules/index/text-finder.ts';
import { compile } from '../../../../../../shared/filter/compile.ts';
import { parseQuery } from '../../../../../../shared/filter/parse.ts';
import { summaryNow } from '../../../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const QUERIES = [
  '',
  'host:api',
  'host:API.example.com path:/v1',
  'host:*.example.com -path:/v1',
  'path:/users/*/posts',
  'url:https://api.example.com/v1/users',
  'host:api,cdn',
  'path:"a b"',
  'method:POST',
  'method:get,PUT path:/v1',
  'scheme:http',
  'host:api OR path:/none',
  'host:api OR status:404',
  'NOT host:api',
  'NOT (host:api path:/v1)',
  '(host:api OR host:cdn) (method:POST OR path:/v1)',
  'users',
  'path:*',
  'path:é',
  'host:api host:cdn',
];

function queryOf(text: string) {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.query;
}

const rules = QUERIES.map((text) => ({ rule: text, query: queryOf(text), anyMethod: false }));
const places = ['api.example.com', 'cdn.example.com', 'API.EXAMPLE.COM', 'localhost'].flatMap((authority) =>
  ['/', '/v1', '/V1/users/7/posts?a=1', '/a b', '/é', '/none'].flatMap((path) =>
    ['GET', 'POST'].map((method) => ({ method, scheme: 'https' as const, authority, path })),
  ),
);

test.each(places)('names every rule that matches $method $authority$path, in order', (place) => {
  const row = summaryNow(exampleExchange({ request: place }));
  const candidates = new RuleIndex(rules).candidates(row, []);
  const matching = rules.filter(({ query }) => compile(query)(row)).map(({ rule }) => rule);
  expect(matching.filter((rule) => !candidates.includes(rule))).toEqual([]);
  expect(candidates).toEqual(QUERIES.filter((rule) => candidates.includes(rule)));
});

test('returns few of many rules, and none for a place that no rule names', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...{ rule: at, anyMethod: false },
    query: queryOf(`method:GET host:example.com path:/page/${at}/`),
  }));
  const index = new RuleIndex(many);
  const at = (path: string) => index.candidates({ method: 'GET', scheme: 'https', authority: 'example.com', path }, []);
  expect(at('/page/17/')).toEqual([17]);
  expect(at('/other')).toEqual([]);
});

test('does not rely on a method that a rule ignores', () => {
  const index = new RuleIndex([{ rule: 1, query: queryOf('method:PUT'), anyMethod: true }]);
  expect(index.candidates({ method: 'OPTIONS', scheme: 'https', authority: 'a', path: '/' }, [])).toEqual([1]);
});

test('finds texts that overlap, and texts inside others', () => {
  const texts = ['he', 'she', 'hers', 'his', 'e', 'ß'];
  const finder = new TextFinder(texts);
  const found = (text: string) => {
    const all = new Set<string>();
    finder.find(text, (index) => all.add(texts[index] ?? ''));
    return [...all].sort();
  };
  expect(found('ushers')).toEqual(['e', 'he', 'hers', 'she']);
  expect(found('xhisß')).toEqual(['his', 'ß']);
  expect(found('')).toEqual([]);
  expect(found('日本')).toEqual([]);
});
