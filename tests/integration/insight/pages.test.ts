import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { SessionFacts } from '../../../electron/session/insight/session-facts.ts';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { findPages } from '../../../shared/insight/pages/find-pages.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { recordedVisit } from '../../support/recorded-visit.ts';

const HEAD = '<!doctype html><title>Page</title><link rel="icon" href="data:,">';
const WORKER = `
addEventListener('install', (event) => event.waitUntil(caches.open('1').then((cache) => cache.addAll(['/shell.js']))));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`;
const MARKUP: Record<string, string> = {
  '/': `<link rel="stylesheet" href="/a.css"><script src="/a.js"></script>`,
  '/two': `<link rel="stylesheet" href="/two.css"><script src="/two.js"></script>`,
};
/** A frame of another site, whose image comes from a third one. */
const FRAMES: Record<string, (port: string) => string> = {
  '/frames': (port) => `<iframe src="http://ads.localhost:${port}/frame"></iframe>`,
  '/frame': (port) => `<img src="http://img.localhost:${port}/image.webp" alt="">`,
};
const TYPES: Record<string, string> = {
  ...{ css: 'text/css', js: 'text/javascript', json: 'application/json', webp: 'image/webp' },
};

/** Two pages with styles and scripts, and a service worker that forwards everything. Each response has `policy`. */
async function siteWith(policy: string): Promise<string> {
  const server = http.createServer(({ url = '/', headers }, response) => {
    const markup = MARKUP[url] ?? FRAMES[url]?.(headers.host?.split(':')[1] ?? '');
    const type = markup === undefined ? TYPES[url.split('.')[1] ?? ''] : 'text/html';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store', 'referrer-policy': policy });
    const body = url === '/worker.js' ? WORKER : '0';
    response.end(markup === undefined ? body : HEAD + markup);
  });
  const port = await listenInTest(server);
  // A secure context, in which service workers are allowed.
  return `http://shop.localhost:${port}`;
}

/** The paths of each page without the worker's own, and all that belong to none, sorted. */
async function grouped(session: string, origin: string): Promise<{ pages: string[][]; rest: string[] }> {
  const reader = new SessionReader(session);
  const facts = (await new SessionFacts(reader).read()).filter((fact) => fact.origin === origin);
  reader.close();
  const pages = findPages(facts);
  const pathsOf = (ids: ReadonlySet<number>) =>
    facts
      .filter(({ id }) => ids.has(id))
      .map(({ path }) => path)
      .sort();
  const known = new Set(pages.flatMap(({ exchanges }) => exchanges));
  const rest = new Set(facts.filter(({ id }) => !known.has(id)).map(({ id }) => id));
  // The browser decides when it checks for a newer worker.
  const loaded = pages.map(({ exchanges }) => pathsOf(new Set(exchanges)).filter((path) => path !== '/worker.js'));
  return { pages: loaded, rest: pathsOf(rest) };
}

const NEEDS = 300_000;

describe.skipIf(chromiumPath() === null)('pages that Chromium loaded', () => {
  it.each(['strict-origin-when-cross-origin', 'no-referrer'])(
    'keep what they asked for after a change of their address, and through a service worker (%s)',
    async (policy) => {
      const site = await siteWith(policy);
      const session = await recordedVisit(async (context) => {
        const page = await context.newPage();
        await page.goto(`${site}/`);
        await page.evaluate("history.pushState({}, '', '/route'); fetch('/route.json').then((one) => one.text())");
        await page.evaluate("navigator.serviceWorker.register('/worker.js')");
        await page.waitForFunction('navigator.serviceWorker.controller !== null');
        await page.goto(`${site}/two`);
        await page.evaluate("fetch('/two.json').then((one) => one.text())");
      });
      expect(await grouped(session, site)).toEqual({
        pages: [
          ['/', '/a.css', '/a.js', '/route.json', '/shell.js'],
          ['/two', '/two.css', '/two.js', '/two.json'],
        ],
        rest: [],
      });
    },
    NEEDS,
  );

  it(
    'keep what their frames requested, and stay separate in two tabs at once',
    async () => {
      const site = await siteWith('strict-origin-when-cross-origin');
      const session = await recordedVisit(async (context) => {
        const tabs = [await context.newPage(), await context.newPage()];
        const options = { waitUntil: 'networkidle' } as const;
        await tabs[0]?.goto(`${site}/frames`, options);
        await Promise.all(tabs.map((tab) => tab.goto(`${site}/two`, options)));
      });
      const reader = new SessionReader(session);
      const facts = (await new SessionFacts(reader).read()).filter(({ host }) => host.endsWith('.localhost'));
      reader.close();
      const paths = new Map(facts.map(({ id, path }) => [id, path]));
      const found = findPages(facts).map(({ exchanges }) => exchanges.map((id) => paths.get(id)).sort());
      expect(found).toEqual([
        ['/frame', '/frames', '/image.webp'],
        ['/two', '/two.css', '/two.js'],
        ['/two', '/two.css', '/two.js'],
      ]);
    },
    NEEDS,
  );
});
