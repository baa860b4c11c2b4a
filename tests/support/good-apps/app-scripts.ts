/** What each app does in its page. They are functions, which are checked like other code, and run in the browser. */
export const APP_SCRIPTS: Record<string, string> = {
  /** Routes without a document, the next one's data fetched ahead, an address that changes. */
  routes: `
    for (const route of ['lamps', 'chairs', 'tables', 'beds', 'desks', 'rugs']) {
      history.pushState({}, '', '/routes/' + route);
      await json('/data/' + route + '.json');
      await json('/data/' + route + '-next.json', { headers: { Purpose: 'prefetch' } });
      await pause(20);
    }`,
  /** Eight rows prefetched at once, as a router does for the links in sight. */
  prefetch: `
    for (let item = 1; item <= 8; item++) {
      const link = Object.assign(document.createElement('link'), { rel: 'prefetch', href: '/items/' + item + '.json' });
      document.head.append(link);
      await new Promise((loaded) => { link.onload = link.onerror = loaded; });
    }`,
  /** A short poll by a timer, whose responses and addresses differ. */
  poll: `
    for (let turn = 0; turn < 12; turn++) { await json('/status?at=' + turn); await pause(50); }`,
  /** The server holds each request until it has news; the next begins with its cursor at once. */
  longPoll: `
    let cursor = 0;
    for (let turn = 0; turn < 8; turn++) cursor = (await json('/news?after=' + cursor)).next;`,
  /** The parts of a film, by range and as segments. */
  film: `
    for (let part = 0; part < 8; part++) {
      const range = 'bytes=' + part * 65536 + '-' + (part * 65536 + 65535);
      await (await fetch('/film.webm', { headers: { Range: range } })).arrayBuffer();
    }
    for (let part = 1; part <= 8; part++) await (await fetch('/segments/' + part + '.m4s')).arrayBuffer();`,
  /** Server-sent events, one stream. */
  events: `
    await new Promise((ended) => {
      const events = new EventSource('/events');
      events.addEventListener('end', () => { events.close(); ended(); });
    });`,
  /** A file in parts, one after the other, as resumable uploads are. */
  upload: `
    for (let part = 1; part <= 8; part++)
      await fetch('/uploads/7/parts/' + part, { method: 'PUT', body: new Uint8Array(40000) });
    await fetch('/uploads/7', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });`,
  /** One preflight for several requests to another origin. */
  cors: `
    for (let turn = 0; turn < 6; turn++)
      await fetch(API + '/orders', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });`,
  /** An API of another origin with the user's credentials, a screen at a time: its preflights go without them. */
  credentials: `
    const call = (path) => fetch(API + path, { credentials: 'include', headers: { Authorization: 'Bearer a' } });
    await call('/data/me.json');
    for (const screen of ['home', 'cart', 'account']) {
      await Promise.all([call('/data/' + screen + '.json'), call('/widgets/' + screen), call('/orders/' + screen)]);
      await pause(40);
    }`,
  /** Files on a CDN, which is another site. */
  cdn: `
    await Promise.all([...Array(8).keys()].map((of) => fetch(API + '/segments/cdn-' + of).then((one) => one.blob())));`,
  /** Messages of a WebSocket with permessage-deflate. */
  socket: `
    await new Promise((ended) => {
      const socket = new WebSocket(API.replace('https', 'wss') + '/socket');
      let count = 0;
      socket.onopen = () => socket.send('x'.repeat(8000));
      socket.onmessage = () => { count += 1; if (count < 20) socket.send('x'.repeat(8000)); else socket.close(); };
      socket.onclose = ended;
    });`,
  /** Each page of a list as the reader scrolls to it. */
  scroll: `
    let after = 0;
    for (let turn = 0; turn < 8; turn++) { after = (await json('/feed?after=' + after)).next; await pause(30); }`,
  /** A search at each letter that drops the previous response. */
  typing: `
    let leaving = null;
    for (const text of ['l', 'la', 'lam', 'lamp', 'lamp s', 'lamp sh']) {
      leaving?.abort();
      leaving = new AbortController();
      fetch('/search?q=' + encodeURIComponent(text), { signal: leaving.signal }).catch(() => {});
      await pause(25);
    }
    await json('/search?q=lamp+shade');`,
  /** Several queries of GraphQL at once. */
  graphql: `
    await Promise.all([...Array(8).keys()].map((of) => json('/graphql?query=' + of)));`,
  /** Tiles of a map. */
  tiles: `
    await Promise.all([...Array(12).keys()].map((of) => fetch('/tiles/5/' + of + '/9').then((one) => one.blob())));`,
  /** Different parts of a dashboard. */
  dashboard: `
    await Promise.all(['sales', 'stock', 'staff', 'news', 'tasks', 'notes'].map((of) => json('/widgets/' + of)));`,
  /** What analytics sends. */
  beacons: `
    for (let turn = 0; turn < 8; turn++) { navigator.sendBeacon('/beacon', 'turn=' + turn); await pause(20); }
    await json('/data/after-beacons.json');`,
  /** A worker that stores the app's files, and then forwards the page's requests. */
  worker: `
    await navigator.serviceWorker.register('/worker.js');
    await new Promise((controlled) => {
      if (navigator.serviceWorker.controller) controlled();
      else navigator.serviceWorker.addEventListener('controllerchange', controlled);
    });
    await Promise.all([...Array(8).keys()].map(async (of) => {
      const image = new Image();
      image.src = '/photos/' + (of + 1) + '.webp';
      await new Promise((loaded) => { image.onload = image.onerror = loaded; });
    }));`,
};

/** Before each app's own script, and around it. */
export function pageScript(app: string, api: string): string {
  return `
    const API = ${JSON.stringify(api)};
    const pause = (ms) => new Promise((over) => setTimeout(over, ms));
    const json = async (url, options) => (await fetch(url, options)).json();
    (async () => { ${APP_SCRIPTS[app] ?? ''} })().then(
      () => { document.title = 'done'; },
      (error) => { document.title = 'failed: ' + error; },
    );`;
}

export const WORKER_SCRIPT = `
  const FILES = [...Array(10).keys()].map((of) => '/assets/part-' + of + '.5f3a9c1e.js');
  addEventListener('install', (event) => {
    event.waitUntil(caches.open('1').then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
  });
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`;
