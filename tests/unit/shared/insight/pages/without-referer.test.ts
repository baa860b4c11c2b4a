import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../../../shared/insight/fact.ts';
import { findPages } from '../../../../../shared/insight/pages/find-pages.ts';
import { type ExampleFact, exampleFact } from '../../../../support/example-fact.ts';

const SHOP = 'https://shop.test';
const BLOG = 'https://blog.test';
const CDN = 'https://cdn.test';

const page = (origin: string, at: number, of: ExampleFact = {}) => exampleFact({ origin, dest: 'document', at, ...of });

/** A request whose policy leaves the Referer out. `site`: of Sec-Fetch-Site. */
const bare = (origin: string, site: string, at: number, of: ExampleFact = {}) =>
  exampleFact({ origin, path: '/part', dest: 'image', at, request: { 'Sec-Fetch-Site': site }, ...of });

const exchangesOf = (facts: readonly Fact[]) => findPages(facts).map(({ exchanges }) => exchanges);

describe('findPages, where a policy leaves the Referer out', () => {
  it('follows Sec-Fetch-Site to the page, on its own site and on others', () => {
    const shop = page(SHOP, 0);
    const own = bare(SHOP, 'same-origin', 10);
    const sibling = bare('https://img.shop.test', 'same-site', 20, { client: 2 });
    const foreign = bare(CDN, 'cross-site', 30, { client: 3 });
    expect(exchangesOf([shop, own, sibling, foreign])).toEqual([[shop.id, own.id, sibling.id, foreign.id]]);
  });

  it('tells two open pages apart by their connections', () => {
    const shop = page(SHOP, 0, { client: 1 });
    const first = bare(CDN, 'cross-site', 10, { client: 2 });
    const blog = page(BLOG, 1000, { client: 3 });
    const second = bare(CDN, 'cross-site', 1010, { client: 4 });
    const late = bare(CDN, 'cross-site', 1020, { client: 2 });
    expect(exchangesOf([shop, first, blog, second, late])).toEqual([
      [shop.id, first.id, late.id],
      [blog.id, second.id],
    ]);
  });

  it('takes the later of two pages of a site, which continues with the connections of the first', () => {
    const first = page(SHOP, 0, { client: 1 });
    const image = bare(SHOP, 'same-origin', 10, { client: 2 });
    const second = page(SHOP, 1000, { client: 1, path: '/two' });
    const later = bare(SHOP, 'same-origin', 1010, { client: 2 });
    expect(exchangesOf([first, image, second, later])).toEqual([
      [first.id, image.id],
      [second.id, later.id],
    ]);
  });

  it('prefers a page that never sent a Referer', () => {
    const bareShop = page(SHOP, 0, { client: 1 });
    const blog = page(BLOG, 1000, { client: 2 });
    const named = exampleFact({ origin: BLOG, path: '/a.js', at: 1010, client: 2, request: { Referer: `${BLOG}/` } });
    const image = bare(CDN, 'cross-site', 1020, { client: 3 });
    expect(exchangesOf([bareShop, blog, named, image])).toEqual([
      [bareShop.id, image.id],
      [blog.id, named.id],
    ]);
  });

  it('knows the origins of frames', () => {
    const shop = page(SHOP, 0);
    const frame = bare(BLOG, 'cross-site', 10, { dest: 'iframe', client: 2 });
    const inside = bare(BLOG, 'same-origin', 20, { client: 2 });
    expect(exchangesOf([shop, frame, inside])).toEqual([[shop.id, frame.id, inside.id]]);
  });

  it('leaves out what the browser itself asks for, and sites that no page fits', () => {
    const shop = page(SHOP, 0);
    const update = bare('https://update.test', 'none', 10, { dest: 'empty' });
    const stranger = bare(BLOG, 'same-origin', 20, { client: 2 });
    expect(exchangesOf([shop, update, stranger])).toEqual([[shop.id]]);
  });

  it('goes by host, connection and time over plain HTTP, where browsers send no Sec-Fetch-Site', () => {
    const request = { 'user-agent': 'Mozilla/5.0 Example' };
    const plain = (origin: string, at: number, client: number) =>
      exampleFact({ origin, path: '/part', at, client, request });
    const html = { ...request, accept: 'text/html,*/*' };
    const shop = exampleFact({
      ...{ origin: 'http://shop.test', at: 0, client: 1 },
      ...{ request: html, response: { 'Content-Type': 'text/html' } },
    });
    const own = plain('http://shop.test', 100, 2);
    const image = plain('http://cdn.test', 110, 3);
    const poll = plain('http://shop.test', 30_000, 2);
    const known = plain('http://cdn.test', 60_000, 3);
    const unknown = plain('http://other.test', 90_000, 4);
    expect(exchangesOf([shop, own, image, poll, known, unknown])).toEqual([
      [shop.id, own.id, image.id, poll.id, known.id],
    ]);
    const update = { ...plain('http://update.test', 120, 5), method: 'POST' };
    const form = { ...update, origin: 'http://api.test', request: { ...update.request, origin: 'http://shop.test' } };
    expect(exchangesOf([shop, own, update, form])).toEqual([[shop.id, own.id, form.id]]);
  });

  it('takes programs without a Referer for no part of a page', () => {
    const shop = page(SHOP, 0);
    expect(exchangesOf([shop, exampleFact({ origin: SHOP, path: '/api', at: 10 })])).toEqual([[shop.id]]);
  });
});
