import type http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import type { ServedHost } from '../support/served-host.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

const EXECUTABLE = chromiumPath();
/** A folder for screenshots, light and dark. */
const PICTURES = process.env.OPEN_PICTURES;

let host: ServedHost;
let scene: WindowScene;
let page: Page;
let origin: PlainOrigin;
/** Of requests to /held, in their order. */
let held: http.ServerResponse[];

test.beforeEach(async () => {
  held = [];
  origin = await plainOrigin((request, response) => {
    request.resume().on('error', () => {});
    if (request.url?.startsWith('/held')) held.push(response);
    else response.end('here');
  });
  origin.server.on('upgrade', (_request, socket) => {
    socket.resume().on('end', () => socket.end());
    socket.on('error', () => {});
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  scene = await windowScene();
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
});

const authority = () => new URL(origin.url).host;

/** A request's bytes through the proxy, on a separate connection. */
function send(lines: string): net.Socket {
  const socket = net.connect(Number(new URL(host.proxy).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(lines);
  return socket;
}

const get = (where: string) => send(`GET http://${authority()}${where} HTTP/1.1\r\nHost: ${authority()}\r\n\r\n`);

const rowOf = (where: string) => page.getByRole('row').filter({ hasText: where });
const totalOf = (where: string) => rowOf(where).getByRole('gridcell').nth(-2);
const timings = () => page.getByRole('list', { name: 'Timings' });
const phase = (label: string) => timings().getByRole('listitem').filter({ hasText: label });

async function inspect(where: string): Promise<void> {
  await rowOf(where).click();
  await page.getByRole('tab', { name: 'Timings' }).click();
  await expect(timings()).toBeVisible();
}

/** Waits until its text changes. */
async function changes(what: ReturnType<typeof phase>): Promise<void> {
  await expect(what).not.toHaveText('');
  // Not its innerText, which `toHaveText` does not compare.
  const before = (await what.textContent()) ?? '';
  await expect(what).not.toHaveText(before);
}

async function draw(name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(PICTURES, `${name}-${colorScheme}.png`) });
  }
}

test.describe('an exchange that is open', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  test('shows how long it has waited for its response', async () => {
    get('/before').end();
    await expect(rowOf('/before')).toBeVisible();
    get('/held');
    await expect(rowOf('/held').locator('.bar[style*="--wait"]')).toHaveCount(1);
    await changes(totalOf('/held'));
    await inspect('/held');
    await expect(phase('Wait (TTFB)…')).toBeVisible();
    await changes(phase('Wait (TTFB)…'));
    await changes(phase('Elapsed'));
    await expect(page.getByText('on the request')).toBeVisible();
    await expect(page.getByText('sent upstream')).toHaveCount(0);
    await expect.poll(() => held.length).toBe(1);
    await draw('waiting');

    held[0]?.write('first');
    await expect(phase('Receive…')).toBeVisible();
    await changes(phase('Receive…'));
    await draw('receiving');
    held[0]?.end();
    await expect(phase('Total')).toBeVisible();
    await expect(timings()).not.toContainText('…');
  });

  test('is being sent', async () => {
    const head = `POST http://${authority()}/held HTTP/1.1\r\nHost: ${authority()}\r\nContent-Length: 10\r\n\r\n`;
    const client = send(`${head}half `);
    await inspect('/held');
    await expect(phase('Send…')).toBeVisible();
    await changes(phase('Send…'));
    await draw('sending');
    client.write('whole');
    await expect(phase('Wait (TTFB)…')).toBeVisible();
    client.destroy();
    await expect(phase('Total')).toBeVisible();
    await expect(timings()).not.toContainText('…');
  });

  test('is a WebSocket', async () => {
    const client = send(
      `GET http://${authority()}/socket HTTP/1.1\r\nHost: ${authority()}\r\nConnection: Upgrade\r\nUpgrade: ` +
        'websocket\r\n\r\n',
    );
    await inspect('/socket');
    await expect(phase('Receive…')).toBeVisible();
    await changes(phase('Receive…'));
    await changes(totalOf('/socket'));
    await draw('websocket');
    client.destroy();
    await expect(phase('Total')).toBeVisible();
  });

  test('fails', async () => {
    get('/held');
    await inspect('/held');
    await expect(phase('Wait (TTFB)…')).toBeVisible();
    await expect.poll(() => held.length).toBe(1);
    held[0]?.write('first');
    await expect(phase('Receive…')).toBeVisible();
    held[0]?.socket?.destroy();
    await expect(phase('Total')).toBeVisible();
    await expect(timings()).not.toContainText('…');
    await draw('failed');
  });

  test('a retry keeps the failed attempt, and the time continues', async () => {
    const client = get('/before');
    await expect(rowOf('/before')).toBeVisible();
    client.write(`GET http://${authority()}/held HTTP/1.1\r\nHost: ${authority()}\r\n\r\n`);
    await expect.poll(() => held.length).toBe(1);
    await inspect('/held');
    await changes(phase('Wait (TTFB)…'));
    held[0]?.socket?.destroy();
    await expect.poll(() => held.length).toBe(2);
    await expect(phase('Failed attempts')).toBeVisible();
    await changes(phase('Wait (TTFB)…'));
    await draw('tried-again');
    held[1]?.end('at last');
    await expect(phase('Total')).toBeVisible();
    await expect(phase('Failed attempts')).toBeVisible();
  });
});
