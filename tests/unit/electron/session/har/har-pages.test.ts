import { expect, it } from 'vitest';
import { HarPages } from '../../../../../electron/session/har/har-pages.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

const REST = { title: 'Recorded by Roundtrip', startedAt: 0 };

function exchange(id: number, path: string, fields: Record<string, string>) {
  return exampleExchange({ id, request: { path, headers: Object.entries(fields).flat() } });
}

it('names the pages that a browser loaded, and puts the rest on a separate one', () => {
  const pages = new HarPages();
  const ids = [
    exchange(1, '/shop', { 'Sec-Fetch-Dest': 'document' }),
    exchange(2, '/a.js', { 'Sec-Fetch-Dest': 'script', Referer: 'https://api.test/shop' }),
    exchange(3, '/ping', {}),
    exchange(4, '/cart', { 'Sec-Fetch-Dest': 'document', Referer: 'https://api.test/shop' }),
  ].map((each) => pages.of(each));
  expect(ids).toEqual(['page_1', 'page_1', 'page_0', 'page_2']);
  expect(pages.list(REST).map(({ id, title }) => [id, title])).toEqual([
    ['page_0', 'Recorded by Roundtrip'],
    ['page_1', 'https://api.test/shop'],
    ['page_2', 'https://api.test/cart'],
  ]);
});

it('always has a page', () => {
  expect(new HarPages().list(REST)).toHaveLength(1);
});
