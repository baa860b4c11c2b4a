import fs from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { requestThrough } from '../support/request-through.ts';
import type { ServedHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.REPLAY_PICTURES;

interface Received {
  method: string;
  url: string;
  headers: string[];
  body: string;
}

let origin: PlainOrigin;
let received: Received[];
let host: ServedHost;
let scene: WindowScene;
let page: Page;

/** Sends a request through the proxy. */
async function send(method: string, where: string, body = ''): Promise<void> {
  const headers = body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  await requestThrough(host.proxy, `${origin.url}${where}`, { method, headers, body });
}

const picture = (name: string) => takePictures(page, PICTURES, name);

async function expectAccessible(): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
}

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  received = [];
  origin = await plainOrigin((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request;
      received.push({ method, url, headers: rawHeaders, body });
      response.writeHead(body.includes('two') ? 422 : 200, { 'Content-Type': 'text/plain' }).end(`got ${body}`);
    });
  });
  scene = await windowScene();
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = () => page.getByRole('dialog');
const strip = () => page.getByRole('region', { name: 'Comparison with the original' });

test('one key resends the selected row, exactly once, and the new row links to its original', async () => {
  await send('POST', '/orders?x=1', '{"one":1}');
  await row('/orders').first().click();
  await page.keyboard.press('r');
  await expect(strip()).toContainText('Sent again from');
  await expect(row('/orders')).toHaveCount(2);
  await expect(page.getByRole('img', { name: 'Sent again from #1' })).toBeVisible();
  await expect(strip()).toContainText('status 200');
  await strip().getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('compared with #1 POST /orders?x=1');
  await picture('resent');
  await expectAccessible();
  expect(received).toEqual([received[0], received[0]]);
  await strip().getByRole('button', { name: '#1' }).click();
  await expect(strip()).toHaveCount(0);
});

test('the list scrolls to the new exchange of a resent request', async () => {
  for (let number = 1; number <= 60; number += 1) await send('GET', `/orders?n=${number}`, '');
  await row('n=60').waitFor();
  await page.getByRole('grid', { name: 'Exchanges' }).evaluate((list) => list.scrollTo(0, 0));
  await row('/orders?n=1').first().click();
  await page.keyboard.press('r');
  await expect(page.locator('[data-exchange="61"]')).toBeInViewport();
});

test('a request is edited and sent, and its response is compared with the original', async () => {
  await send('POST', '/orders', '{"one":1}');
  await row('/orders').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Edit and resend…' }).click();
  await expect(dialog().getByLabel('URL')).toHaveValue(`${origin.url}/orders`);
  await expect(dialog().getByLabel('URL')).toBeFocused();
  await expect(dialog().getByLabel('Headers')).toHaveValue(/Content-Type: application\/json/);
  // The plain field shown until the editor has loaded has the same name.
  const editor = dialog().locator('.cm-content');
  await expect(editor).toContainText('{"one":1}');
  await dialog().getByLabel('Method').fill('PUT');
  await dialog().getByLabel('URL').fill(`${origin.url}/orders/2`);
  await dialog().getByLabel('Headers').fill('X-First: 1\nContent-Type: application/json\nContent-Length: 9');
  await editor.fill('{"two":22}');
  await picture('compose');
  await expectAccessible();
  await dialog().getByLabel('Method').press('Control+Enter');
  await expect(dialog()).toHaveCount(0);
  await expect(strip()).toContainText('status 200 → 422');
  await strip().getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('+ got {"two":22}');
  await picture('compared');
  expect(received[1]).toEqual({
    ...{ method: 'PUT', url: '/orders/2', body: '{"two":22}' },
    headers: [
      ...['Host', new URL(origin.url).host, 'X-First', '1'],
      ...['Content-Type', 'application/json', 'Content-Length', '10'],
    ],
  });
});

test('the editor keeps line breaks as they are, also where the text is edited', async () => {
  const body = 'one\r\nt\nw\ro\r\nthree';
  await send('POST', '/lines', body);
  for (const typed of ['', '!']) {
    await row('/lines').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit and resend…' }).click();
    const editor = dialog().locator('.cm-content');
    await expect(editor.locator('.cm-line')).toHaveCount(3);
    await editor.focus();
    await page.keyboard.press('Control+End');
    if (typed !== '') await page.keyboard.type(`\n${typed}`);
    await page.keyboard.press('Control+Enter');
    await expect(dialog()).toHaveCount(0);
  }
  await expect.poll(() => received.map((each) => each.body)).toEqual([body, body, `${body}\r\n!`]);
});

/** As a user pastes into the focused field. */
const paste = (text: string) =>
  page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);

test('a request copied by a browser for PowerShell is pasted and sent; unreadable text shows why', async () => {
  await page.keyboard.press('n');
  const url = dialog().getByRole('textbox', { name: 'URL', exact: true });
  await url.focus();
  await paste(`Invoke-WebRequest -Uri "${origin.url}/orders" -InFile body.json`);
  await expect(dialog().getByRole('alert')).toHaveText('-InFile can’t be read: paste what it sends as text.');
  await picture('pasted-refused');
  await expect(url).toHaveValue('');
  await paste(`$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Test/1.0"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "1", "/", "127.0.0.1")))
Invoke-WebRequest -UseBasicParsing -Uri "${origin.url}/orders?from=powershell" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
  "Accept"="*/*"
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"a\`":\`"caf$([char]233)\`"}"))`);
  await expect(url).toHaveValue(`${origin.url}/orders?from=powershell`);
  await expect(dialog().getByRole('alert')).toHaveCount(0);
  await expect(dialog().locator('.cm-content')).toContainText('{"a":"café"}');
  await picture('pasted-powershell');
  await dialog().getByRole('button', { name: 'Send' }).click();
  await expect(dialog()).toHaveCount(0);
  await expect
    .poll(() => received[0])
    .toMatchObject({ method: 'POST', url: '/orders?from=powershell', body: '{"a":"café"}' });
  expect(received[0]?.headers).toEqual(expect.arrayContaining(['User-Agent', 'Test/1.0', 'Cookie', 'sid=1']));
});

test('a pasted form is shown by its fields, and sent with its file', async () => {
  const file = path.join(path.dirname(host.caPath), 'cat.png');
  fs.writeFileSync(file, 'meow\r\n');
  await page.keyboard.press('n');
  const url = dialog().getByRole('textbox', { name: 'URL', exact: true });
  await url.focus();
  await paste(`curl ${origin.url}/upload -F 'name=Tom' -F 'photo=@${file}x;type=image/x'`);
  await expect(dialog().getByLabel('Field 1: text')).toHaveValue('Tom');
  await picture('pasted-form');
  await expectAccessible();
  await dialog().getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(`The file ${file}x can't be sent: there is no such file.`)).toBeVisible();
  await dialog().getByLabel('Field 2: path').fill(file);
  await expect(dialog().getByLabel('Field 2: file name')).toHaveValue('cat.png');
  await picture('refused-form');
  // The message about the file leaves the buttons free.
  await dialog().getByRole('button', { name: 'Send' }).click();
  await expect(dialog()).toHaveCount(0);
  await expect
    .poll(() => received.map(({ method, body }) => [method, body.replace(/--+\S+/g, '--')]))
    .toEqual([
      [
        'POST',
        [
          ...['--', 'Content-Disposition: form-data; name="name"', '', 'Tom', '--'],
          ...['Content-Disposition: form-data; name="photo"; filename="cat.png"', 'Content-Type: image/x', ''],
          ...['meow\r\n', '--', ''],
        ].join('\r\n'),
      ],
    ]);
});

test('a pasted cURL command is sent and saved, and its row is repeated', async () => {
  await page.keyboard.press('n');
  const url = dialog().getByRole('textbox', { name: 'URL', exact: true });
  await url.focus();
  await paste(`curl '${origin.url}/{{path}}?from=curl' \\\n  -H 'X-From: curl' \\\n  --data-raw '{"a":1}'`);
  await expect(dialog().getByLabel('Method')).toHaveValue('POST');
  await expect(url).toHaveValue(`${origin.url}/{{path}}?from=curl`);
  await dialog().getByLabel('Replace {{variables}}').check();
  await expect(dialog()).toContainText('No value: path');
  await dialog().getByRole('button', { name: 'Variables…' }).click();
  await dialog().getByPlaceholder('host: api.example.com').fill('path: orders');
  await dialog().getByLabel('Name to save it under').fill('order');
  await expect(dialog()).not.toContainText('No value');
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog().getByLabel('Saved requests')).toHaveValue('order');
  await picture('pasted');
  await expectAccessible();
  await dialog().getByRole('button', { name: 'Send' }).click();
  await expect(dialog()).toHaveCount(0);
  await expect(row('/orders?from=curl')).toHaveCount(1);
  // The row exists before the origin has read the body.
  await expect.poll(() => received[0]).toMatchObject({ method: 'POST', url: '/orders?from=curl', body: '{"a":1}' });

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row('/orders').click({ button: 'right' });
  await picture('menu');
  await page.getByRole('menuitem', { name: 'Copy as', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Python' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('requests.post(url');
  await row('/orders').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Repeat…' }).click();
  await dialog().getByLabel('Times').fill('12');
  await dialog().getByLabel('At a time').fill('3');
  await dialog().getByRole('button', { name: 'Start' }).click();
  await expect(dialog().getByText('12 of 12 sent, 0 failed; 200 × 12')).toBeVisible();
  await picture('repeated');
  await expectAccessible();
  await dialog().getByRole('button', { name: 'Show these rows' }).click();
  await expect(row('/orders')).toHaveCount(12);
  expect(received).toHaveLength(13);
  expect(received[12]).toEqual(received[0]);
});
