import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { serveHost } from '../support/served-host.ts';
import { type VisitedShop, visitedShop } from '../support/shop/visited-shop.ts';
import { filterList } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();
/** A folder for screenshots of each state. */
const PICTURES = process.env.STATE_PICTURES;

type Go = (page: Page) => Promise<unknown>;

const button = (page: Page, name: string) => page.getByRole('button', { name }).first();

function filter(query: string): Go {
  return (page) => filterList(page, query);
}

/** The first exchange that the query finds, in the inspector. */
function inspect(query: string, tab: string, then: Go = async () => undefined): Go {
  return async (page) => {
    await filter(query)(page);
    await page.getByRole('grid', { name: 'Exchanges' }).getByRole('row').nth(1).click();
    await page.getByRole('tab', { name: tab }).click();
    await filter('')(page);
    await page.keyboard.press('Escape');
    await then(page);
  };
}

function panel(name: string, then: Go = async () => undefined): Go {
  return async (page) => {
    await button(page, name).click();
    await page.getByRole('dialog').waitFor();
    await then(page);
  };
}

const STATES: Record<string, Go> = {
  list: async () => undefined,
  headers: inspect('path:"/v1/products?"', 'Headers'),
  'no body': inspect('path:"/v1/products?"', 'Request'),
  'body of JSON': inspect('path:"/v1/products?"', 'Response'),
  'body of HTML': inspect('host:shop path:/lamps', 'Response'),
  'body as a picture': inspect('path:arc-lamp.png', 'Response'),
  'body as hex': inspect('path:arc-lamp.png', 'Response', (page) => page.getByRole('radio', { name: 'Hex' }).click()),
  'body searched': inspect('path:"/v1/products?"', 'Response', async (page) => {
    await button(page, 'Find in body').click();
    await page.getByRole('textbox', { name: 'Find in body' }).fill('lamp');
    await page.locator('mark').first().waitFor();
  }),
  'timings compared': async (page) => {
    await inspect('id:1', 'Timings', (inspector) => button(inspector, 'Compare').click())(page);
    await page.locator('[data-exchange="9"]').click();
  },
  'menu of an exchange': (page) => page.locator('[data-exchange="27"]').click({ button: 'right' }),
  timings: inspect('id:1', 'Timings'),
  connection: inspect('id:1', 'Connection'),
  attempts: inspect('is:failed', 'Attempts'),
  'timings of failed tries': inspect('is:failed', 'Timings'),
  'filter with completions': async (page) => {
    await filter('host:api s')(page);
    await page.keyboard.press('ArrowDown');
  },
  'filter unfinished': filter('status:>='),
  'filter wrong': filter('stats:404'),
  'filter without a hit': filter('host:nowhere'),
  'window of time': async (page) => {
    await page.getByRole('slider', { name: 'Time window end' }).focus();
    for (let times = 0; times < 2; times += 1) await page.keyboard.press('Shift+ArrowLeft');
  },
  sorted: (page) => page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click(),
  paused: async (page) => {
    await button(page, 'Recording').click();
    await page.getByText('Paused: traffic is forwarded').waitFor();
  },
  'CA trust': panel('CA trust', (page) => page.getByRole('list').first().waitFor()),
  'CA certificate': panel('CA trust', (page) => page.getByRole('tab', { name: 'Certificate' }).click()),
  'CA of one’s own': panel('CA trust', async (page) => {
    await page.getByRole('tab', { name: 'Certificate' }).click();
    await button(page, 'Import CA').click();
  }),
  connect: panel('Connect', (page) => page.getByText('An Electron app').waitFor()),
  'connect, a check': panel('Connect', async (page) => {
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Waiting for check').first().waitFor();
  }),
  export: panel('Export'),
  exported: panel('Export', async (page) => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Export/ })
      .click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
  }),
  'upstream proxy': panel('Upstream proxy'),
  keyboard: panel('Keyboard'),
};

/** The states in which the list is checked; it is the same behind the others, and the largest part. */
const OF_THE_LIST = ['list', 'headers', 'sorted'];

/** An open dialog is checked alone, and so is the inspector: other states have what is behind and beside them. */
async function narrow(page: Page, axe: AxeBuilder): Promise<void> {
  for (const part of ['dialog[open]', '.inspector']) {
    if ((await page.locator(part).count()) === 0) continue;
    axe.include(part);
    return;
  }
  axe.exclude('.list');
}

/** In both themes. All rules are checked in light; dark differs only in colours. */
async function check(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `${theme}-${name.replaceAll(' ', '-')}.png`) });
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
    if (!OF_THE_LIST.includes(name)) await narrow(page, axe);
    const { violations } = await (theme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
    expect.soft(found, `${theme} ${name}`).toEqual([]);
  }
}

test.describe('the states of the window', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);
  test.describe.configure({ timeout: 900_000 });

  let visited: VisitedShop;
  test.beforeAll(async () => {
    visited = await visitedShop(EXECUTABLE ?? '');
  });
  test.afterAll(() => visited?.close());

  test('are free of what axe finds', async () => {
    const page = await visited.open();
    for (const [name, go] of Object.entries(STATES)) {
      await go(page);
      await check(page, name);
      if (name === 'paused') await button(page, 'Recording').click();
      await page.reload();
      await page.getByRole('grid', { name: 'Exchanges' }).getByText('/v1/checkout').last().waitFor();
    }
    expect(visited.complaints).toEqual([]);
  });

  test('are free of them without traffic, an engine or a host too', async () => {
    const host = await serveHost();
    const page = await (await visited.viewer.newContext()).newPage();
    let tell = (_message: string): void => undefined;
    let failing = false;
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      // The host keeps reporting the engine's state; the failure has to stay.
      server.onMessage((message) =>
        failing && String(message).includes('engine.status') ? undefined : socket.send(message),
      );
      tell = (message) => socket.send(message);
    });
    await page.goto(host.ui);
    await expect(page.getByRole('heading', { name: 'Waiting for the first request' })).toBeVisible();
    await check(page, 'empty');
    const failure = {
      code: 'engine.thread-died',
      side: 'roundtrip',
      message: "The proxy's thread died (out of memory) and was restarted. The session file is intact.",
      cause: null,
    };
    const status = {
      state: 'failed',
      proxyUrl: '',
      failure,
      ...{ recordingFailure: null, waiting: 0, lost: 0 },
      memory: 1,
      clientConnections: 0,
      upstreamConnections: 0,
      ...{ reverse: [], ruleHits: [] },
    };
    failing = true;
    tell(JSON.stringify({ event: 'engine.status', payload: { ...status, bytesNotKept: 0 } }));
    await expect(page.getByRole('alert')).toContainText('engine.thread-died');
    await expect(page.getByRole('heading', { name: 'The proxy is not listening' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Open / })).toHaveCount(0);
    await check(page, 'engine failed');
    const stopped = {
      ...{ code: 'session.write-failed', side: 'roundtrip', cause: null },
      message:
        'Recording stopped: writing to the session file /home/ada/s.roundtrip failed: the disk is full. ' +
        'Traffic continues; unrecorded exchanges wait in memory.',
    };
    const recording = {
      ...status,
      state: 'running',
      proxyUrl: 'http://127.0.0.1:8866',
      bytesNotKept: 0,
      failure: null,
    };
    const say = (payload: object) => tell(JSON.stringify({ event: 'engine.status', payload }));
    say({ ...recording, recordingFailure: stopped, waiting: 1234, lost: 56 });
    await expect(page.getByRole('alert')).toContainText('session.write-failed Recording stopped');
    await expect(page.getByRole('contentinfo')).toContainText('Recording stopped: 1,234 exchanges waiting in memory');
    await check(page, 'recording stopped');
    say({ ...recording, lost: 56 });
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toContainText('56 exchanges lost');
    await host.close();
    await expect(page.getByRole('alert')).toContainText('Disconnected from the host');
    await check(page, 'host gone');
    await page.context().close();
  });
});
