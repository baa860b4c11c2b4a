import { describe, expect, it } from 'vitest';
import { findPages } from '../../../../../shared/insight/pages/find-pages.ts';
import { type ExampleFact, exampleFact } from '../../../../support/example-fact.ts';

const SHOP = 'https://shop.test';
const page = (at: number, of: ExampleFact = {}) =>
  exampleFact({ origin: SHOP, dest: 'document', at, wait: 100, ...of });
const part = (at: number, path: string, referer = `${SHOP}/`, of: ExampleFact = {}) =>
  exampleFact({ origin: SHOP, path, at, wait: 100, dest: 'script', request: { Referer: referer }, ...of });

describe('findPages', () => {
  it('groups by navigation and Referer, through styles and origins, and knows the initiators', () => {
    const document = page(0);
    const style = part(110, '/a.css', `${SHOP}/`, { dest: 'style' });
    const font = part(220, '/a.woff2', `${SHOP}/a.css`, { dest: 'font' });
    const foreign = part(230, '/x.js', `${SHOP}/`, { origin: 'https://cdn.test' });
    const data = part(240, '/api', '', { dest: 'empty', request: { Origin: SHOP } });
    const stranger = part(250, '/y.js', 'https://other.test/page');
    const [found, ...others] = findPages([document, style, font, foreign, data, stranger]);
    expect(others).toEqual([]);
    expect(found?.exchanges).toEqual([document, style, font, foreign, data].map(({ id }) => id));
    expect(found?.initiators).toEqual([0, document.id, style.id, document.id, document.id]);
  });

  it('counts redirects to the page, and separates two loads', () => {
    const redirect = page(0, { path: '/old', status: 301, response: { Location: '/' } });
    const facts = [redirect, page(110), part(220, '/a.js'), page(5000), part(5110, '/a.js')];
    expect(findPages(facts).map(({ url, exchanges }) => [url, exchanges.length])).toEqual([
      [`${SHOP}/`, 3],
      [`${SHOP}/`, 2],
    ]);
  });

  it('is named after its document, not after a frame in it', () => {
    const document = page(0);
    const frame = part(110, '/frame', `${SHOP}/`, { dest: 'iframe', response: { 'Content-Type': 'text/html' } });
    expect(findPages([document, frame]).map(({ url, document: id }) => [url, id])).toEqual([[`${SHOP}/`, document.id]]);
  });

  it('finds the critical path, and the end of the load at the first quiet second', () => {
    const document = page(0);
    const fast = part(105, '/fast.js', `${SHOP}/`, { wait: 10 });
    const slow = part(110, '/slow.js', `${SHOP}/`, { wait: 200 });
    const data = part(320, '/api', `${SHOP}/`, { wait: 80 });
    const poll = part(9000, '/poll');
    const [found] = findPages([document, fast, slow, data, poll]);
    expect(found?.criticalPath.map(({ id }) => id)).toEqual([document.id, slow.id, data.id]);
    expect(found?.loadMs).toBe(400);
    expect(found?.exchanges).toHaveLength(5);
  });

  it('knows that a browser has a response a little before its end is noted', () => {
    const document = page(0);
    const script = part(110, '/a.js', `${SHOP}/`, { wait: 200 });
    const data = part(308, '/api', `${SHOP}/`, { dest: 'empty', wait: 80 });
    const [found] = findPages([document, script, data]);
    expect(found?.criticalPath.map(({ id }) => id)).toEqual([document.id, script.id, data.id]);
  });

  it('has the document on the critical path of what was found while it arrived', () => {
    const document = page(0, { wait: 90, timings: { receive: 20 } });
    const style = part(100, '/a.css', `${SHOP}/`, { dest: 'style', wait: 300 });
    const [found] = findPages([document, style]);
    expect(found?.criticalPath).toEqual([
      { id: document.id, from: 0, to: 110 },
      { id: style.id, from: 100, to: 400 },
    ]);
  });

  it('prefers what ended after the first byte of an initiator that still arrived', () => {
    const document = page(0, { wait: 50, timings: { receive: 500 } });
    const script = part(60, '/a.js', `${SHOP}/`, { wait: 100 });
    const data = part(161, '/api', `${SHOP}/`, { dest: 'empty', wait: 600 });
    const [found] = findPages([document, script, data]);
    expect(found?.criticalPath.map(({ id }) => id)).toEqual([document.id, script.id, data.id]);
  });

  it('gives requests to other origins, whose Referer is cut, to the latest page of the site', () => {
    const home = page(0);
    const lamps = page(1000, { path: '/lamps' });
    const own = part(1110, '/a.js', `${SHOP}/lamps`);
    const image = part(1120, '/lamp.png', `${SHOP}/`, { origin: 'https://cdn.test', dest: 'image' });
    // In full, because it goes to the site itself.
    const late = part(1130, '/poll', `${SHOP}/`);
    expect(findPages([home, lamps, own, image, late]).map(({ exchanges }) => exchanges)).toEqual([
      [home.id, late.id],
      [lamps.id, own.id, image.id],
    ]);
  });

  it('keeps the requests of a page that changes its address with pushState', () => {
    const home = page(0);
    const route = part(110, '/api/1', `${SHOP}/route/one`);
    const later = page(1000, { path: '/other' });
    const again = part(1110, '/api/2', `${SHOP}/route/one`);
    const foreign = part(1120, '/x.js', 'https://other.test/route', { client: 9 });
    expect(findPages([home, route, later, again, foreign]).map(({ exchanges }) => exchanges)).toEqual([
      [home.id, route.id, again.id],
      [later.id],
    ]);
  });

  it('gives what a service worker fetches to the latest page of its origin', () => {
    const home = page(0);
    const script = part(110, '/sw.js', `${SHOP}/`, {
      dest: 'serviceworker',
      request: { Referer: `${SHOP}/`, 'Service-Worker': 'script' },
    });
    const shell = part(220, '/shell.js', `${SHOP}/sw.js`);
    const lamps = page(1000, { path: '/lamps' });
    const fetched = part(1110, '/api', `${SHOP}/sw.js`, { dest: 'empty' });
    expect(findPages([home, script, shell, lamps, fetched]).map(({ exchanges }) => exchanges)).toEqual([
      [home.id, script.id, shell.id],
      [lamps.id, fetched.id],
    ]);
  });

  it('begins a page with a navigation that a service worker passed on', () => {
    const home = page(0);
    const lamps = page(1000, {
      ...{ path: '/lamps', dest: 'empty', response: { 'Content-Type': 'text/html' } },
      request: { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'same-origin' },
    });
    const style = part(1110, '/a.css', `${SHOP}/lamps`);
    expect(findPages([home, lamps, style]).map(({ url, exchanges }) => [url, exchanges])).toEqual([
      [`${SHOP}/`, [home.id]],
      [`${SHOP}/lamps`, [lamps.id, style.id]],
    ]);
  });

  it('adds up by type, host, protocol and cache', () => {
    const facts = [
      page(0, { size: 10 }),
      part(1, '/a.js', `${SHOP}/`, { size: 70, protocol: 'http/1.1', response: { Age: '7' } }),
      part(2, '/b.js', `${SHOP}/`, { status: 304 }),
    ];
    expect(findPages(facts)[0]?.totals).toEqual({
      type: [
        { name: 'script', requests: 2, bytes: 70 },
        { name: 'document', requests: 1, bytes: 10 },
      ],
      host: [{ name: 'shop.test', requests: 3, bytes: 80 }],
      protocol: [
        { name: 'http/1.1', requests: 1, bytes: 70 },
        { name: 'h2', requests: 2, bytes: 10 },
      ],
      cache: [
        { name: 'shared cache', requests: 1, bytes: 70 },
        { name: 'server', requests: 1, bytes: 10 },
        { name: 'not modified', requests: 1, bytes: 0 },
      ],
    });
  });

  it('has none for programs that load no pages', () => {
    expect(findPages([exampleFact(), exampleFact()])).toEqual([]);
  });
});

describe('prerendered documents', () => {
  const purpose = { 'Sec-Purpose': 'prefetch;prerender' };
  const prepared = (at: number, more: ExampleFact = {}) =>
    page(at, { path: '/next', request: { Referer: `${SHOP}/`, ...purpose }, ...more });
  const preparedPart = (at: number) =>
    part(at, '/next.js', `${SHOP}/next`, { request: { Referer: `${SHOP}/next`, ...purpose } });

  it('begin no page, and belong to the page that asked for them, not to its load', () => {
    const facts = [page(0), part(110, '/a.js'), prepared(220), preparedPart(330)];
    const [found, ...others] = findPages(facts);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ url: `${SHOP}/`, loadMs: 210, exchanges: facts.map(({ id }) => id) });
  });

  it('begin their page with the first request after the user went there', () => {
    const [first, document, script] = [page(0), prepared(220), preparedPart(330)];
    const data = part(5000, '/api', `${SHOP}/next`, { dest: 'empty' });
    const image = part(5010, '/a.png', `${SHOP}/next`, { dest: 'image' });
    expect(findPages([first, document, script, data, image])).toMatchObject([
      { url: `${SHOP}/`, exchanges: [first.id, document.id, script.id] },
      {
        url: `${SHOP}/next`,
        document: document.id,
        exchanges: [data.id, image.id],
        initiators: [document.id, document.id],
      },
    ]);
  });

  it('are forgotten when the browser asks for the page anew', () => {
    const again = page(5000, { path: '/next', request: { Referer: `${SHOP}/` } });
    const data = part(5100, '/api', `${SHOP}/next`);
    const found = findPages([page(0), prepared(220), again, data]);
    expect(found.map(({ exchanges }) => exchanges.length)).toEqual([2, 2]);
    expect(found[1]?.document).toBe(again.id);
  });

  it.each([
    ['a prefetched document', { 'Sec-Purpose': 'prefetch' }],
    ['an older browser', { Purpose: 'prefetch' }],
  ])('%s begins none either', (_name, request) => {
    const link = page(220, { path: '/next', request: { Referer: `${SHOP}/`, ...request } });
    expect(findPages([page(0), link])).toHaveLength(1);
  });

  it('without a page that asked for it, as from the address bar, belongs to none', () => {
    expect(findPages([page(0, { request: purpose })])).toEqual([]);
  });
});
