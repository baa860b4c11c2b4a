import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { ConnectionEnd } from '../../shared/model/insight/connection-end.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../support/example-exchange.ts';
import { record, startRecorder } from '../support/recording.ts';
import { serveHost } from '../support/served-host.ts';
import { launchViewer } from '../support/window-page.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.CONNECTION_PICTURES;
/** Of which each carries three exchanges. */
const CONNECTIONS = 3000;

/** A connection whose windows were closed twice. */
const SLOW_READER = 101;
const START = 1_790_000_000_000;
const SLOW_END: ConnectionEnd = {
  ...{ at: START + 9_500, by: 'upstream', why: 'goaway', code: 0, windowBlocked: 60 },
  closedWindows: [
    [START + 60, START + 100],
    [START + 130, START + 150],
  ],
};

async function session(file: string): Promise<void> {
  const recorder = await startRecorder(file);
  for (let id = 1; id <= CONNECTIONS * 3; id += 1) {
    const connection = 100 + (id % CONNECTIONS);
    const isFirst = id <= CONNECTIONS;
    const timings = { blocked: 0, send: 0, wait: 20 + (id % 60), receive: 5 + (id % 30) };
    const exchange = exampleExchange({
      ...{ id, startedAt: START + id * 3 },
      upstream: { ...EXAMPLE_UPSTREAM, id: connection, ...(connection === SLOW_READER && { end: SLOW_END }) },
      timings: isFirst ? { ...timings, dns: 2, connect: 40, ssl: 25 } : { ...timings, dns: -1, connect: -1, ssl: -1 },
    });
    record(recorder, exchange);
  }
  await recorder.close();
}

test.skip(chromiumPath() === null, NO_CHROMIUM);

test('the connections of a session are lanes that lead to their exchanges', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-connections-e2e-'));
  const file = path.join(folder, 'many.roundtrip');
  await session(file);
  const host = await serveHost('--session', file);
  const viewer = await launchViewer();
  try {
    const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await page.goto(host.ui);
    await page.getByRole('button', { name: 'Connections' }).click();
    await expect(page.getByText(`3,000 connections, 9,000 exchanges; reuse saved`)).toBeVisible();
    const list = page.getByRole('region', { name: 'Connections' });
    await expect(
      list.getByRole('img', { name: /^DNS 2\.00 ms, TCP 15\.0 ms, TLS 25\.0 ms, 3 exchanges$/ }).first(),
    ).toBeVisible();
    const slow = list.getByRole('img', { name: 'The server sent GOAWAY (code 0), windows closed 60.0 ms' });
    await expect(slow.locator('path.window')).toHaveCount(1);
    await expect(list.locator('path.window')).toHaveCount(1);
    // Rows out of sight are not in the document.
    expect(await list.getByRole('listitem').count()).toBeLessThan(100);
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(violations).toEqual([]);
    for (const colorScheme of PICTURES === undefined ? [] : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(PICTURES ?? '', `connections-${colorScheme}.png`) });
    }
    await list.getByRole('button', { name: '101', exact: true }).click();
    await expect(page.getByText('3 of 9,000 exchanges')).toBeVisible();
  } finally {
    await viewer.close();
    await host.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('without exchanges, the connections view names no filter as the reason', async () => {
  const host = await serveHost();
  const viewer = await launchViewer();
  try {
    const page = await viewer.newPage();
    await page.goto(host.ui);
    await page.getByRole('button', { name: 'Connections', exact: true }).click();
    await expect(page.getByText('No connection has carried an exchange yet.')).toBeVisible();
  } finally {
    await viewer.close();
    await host.close();
  }
});
