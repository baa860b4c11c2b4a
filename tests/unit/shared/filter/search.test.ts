import { expect, it } from 'vitest';
import { compileFilter } from '../../../../shared/filter/compile.ts';
import { compileSearch } from '../../../../shared/filter/search.ts';
import { summaryNow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

const ROW = summaryNow(exampleExchange());

function search(text: string) {
  const compiled = compileSearch(text);
  if (!compiled.ok) throw new Error(compiled.problem.message);
  return compiled.search;
}

it.each([
  ['status:200', true, true],
  ['body:x', false, null],
  ['body:x status:404', false, false],
  ['body:x OR status:200', false, true],
  ['-body:x', false, null],
  ['-(body:x status:404)', false, true],
])('%s: rows alone decide', (text, rowsOnly, decided) => {
  expect([search(text).rowsOnly, search(text).decide(ROW)]).toEqual([rowsOnly, decided]);
});

it('looks only into content that matters', async () => {
  const asked: string[] = [];
  const lookup = ({ field, value }: { field: string; value: string }) => {
    asked.push(`${field}:${value}`);
    return value === 'yes';
  };
  expect(await search('header:no body:yes').matches(ROW, lookup)).toBe(false);
  expect(await search('status:404 body:yes').matches(ROW, lookup)).toBe(false);
  expect(await search('-cookie:no (message:yes OR body:no)').matches(ROW, lookup)).toBe(true);
  expect(asked).toEqual(['header:no', 'cookie:no', 'message:yes']);
});

it('refuses content terms if there is no recording to search', () => {
  const problem = {
    position: 11,
    length: 6,
    message: 'body: looks into the content of recorded exchanges. It works in the window’s filter. Remove it here.',
    unfinished: false,
  };
  expect(compileFilter('status:200 body:x')).toEqual({ ok: false, problem });
});
