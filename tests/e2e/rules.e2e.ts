import fs from 'node:fs';
import type http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { requestThrough } from '../support/request-through.ts';
import type { ServedHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.RULE_PICTURES;

let folder: string;
let file: string;
let origin: PlainOrigin;
let received: string[];
let host: ServedHost;
let scene: WindowScene;
let page: Page;

async function get(where: string): Promise<{ status: number; body: string }> {
  const { status, body } = await requestThrough(host.proxy, `${origin.url}${where}`);
  return { status, body };
}

const picture = (name: string) => takePictures(page, PICTURES, name);

/** The current content of the rules file. */
const saved = () => JSON.parse(fs.readFileSync(file, 'utf8'));

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-rules-'));
  file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, '{ "version": 1, "rules": [] }');
  received = [];
  origin = await plainOrigin((request, response) => {
    received.push(request.url ?? '');
    // Pages of other origins may not read it, and it does not support preflights.
    if (request.method === 'OPTIONS') response.statusCode = 405;
    response.setHeader('content-type', 'text/html').end('from the origin');
  });
  scene = await windowScene('--rules', file);
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = () => page.getByRole('dialog');
const rulesTool = () => page.getByRole('button', { name: 'Rules', exact: true });

test('a row is mocked from its menu, and the next request gets the mock', async () => {
  await get('/api/tea?cup=1');
  await row('/api/tea').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New rule' }).click();
  await page.getByRole('menuitem', { name: 'Mock this' }).click();
  await expect(dialog().getByLabel('When')).toHaveValue(/method:GET host:127\.0\.0\.1:\d+ path:\/api\/tea/);
  await dialog().getByRole('radio', { name: 'JSON' }).first().click();
  const actions = dialog().getByLabel('Actions', { exact: true });
  await actions.fill('[{ "answer": { "status": 418, "body": "short" ');
  await expect(dialog().getByRole('alert')).toContainText('Not valid JSON');
  await expect(dialog().getByRole('button', { name: 'Save' })).toBeDisabled();
  await actions.fill('[{ "answer": { "status": 42 } }]');
  await expect(dialog().getByRole('alert')).toContainText('actions.0.answer.status');
  await actions.fill('[{ "answer": { "status": 418, "body": "short and stout" } }]');
  await picture('rule-form');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByText('answer 418')).toBeVisible();
  await picture('rules');
  await page.keyboard.press('Escape');

  expect(await get('/api/tea?cup=2')).toEqual({ status: 418, body: 'short and stout' });
  expect(received).toEqual(['/api/tea?cup=1']);
  const mocked = row('cup=2');
  await expect(mocked.getByRole('img', { name: 'Changed by rules' })).toBeVisible();
  await mocked.click();
  await page.keyboard.press('8');
  await expect(page.getByRole('tabpanel')).toContainText('mock /api/tea');
  await expect(page.getByRole('tabpanel')).toContainText('Answered');
  await picture('rules-tab');
  await page.getByRole('combobox', { name: 'Filter' }).fill('is:changed');
  await expect(row('cup=1')).toHaveCount(0);
  await expect(mocked).toBeVisible();
  await expect.poll(() => saved().rules).toMatchObject([{ name: 'mock /api/tea', enabled: true }]);
});

test('rules are switched, moved, removed and brought back', async () => {
  await rulesTool().click();
  for (const preset of ['Wait 500 ms', 'Remove CSP']) {
    await dialog().getByLabel('Preset').selectOption({ label: preset });
    await dialog().getByRole('button', { name: 'Add rule' }).click();
    await dialog().getByRole('button', { name: 'Save' }).click();
  }
  const names = () => dialog().locator('ol b').allTextContents();
  await expect.poll(names).toEqual([expect.stringContaining('wait'), expect.stringContaining('remove CSP')]);
  await dialog().getByRole('button', { name: 'Move up remove CSP' }).click();
  await expect.poll(names).toEqual([expect.stringContaining('remove CSP'), expect.stringContaining('wait')]);
  await dialog().getByLabel('Use wait').click();
  await expect(dialog().getByLabel('Use wait')).not.toBeChecked();
  await dialog().getByRole('button', { name: 'Remove remove CSP' }).click();
  await expect.poll(names).toEqual([expect.stringContaining('wait')]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(names).toEqual([expect.stringContaining('remove CSP'), expect.stringContaining('wait')]);
  await expect.poll(() => saved().rules).toMatchObject([{ name: 'remove CSP' }, { name: 'wait', enabled: false }]);
});

test('a rule in the form replaces its own, wherever the file has put it meanwhile', async () => {
  const named = (name: string) => ({ name, do: [{ mark: { note: name } }] });
  const write = (...names: string[]) => fs.writeFileSync(file, JSON.stringify({ version: 1, rules: names.map(named) }));
  const names = () => saved().rules.map(({ name }: { name: string }) => name);
  write('one', 'two');
  await rulesTool().click();
  await dialog().getByRole('button', { name: 'Edit two' }).click();
  write('zero', 'one', 'two');
  await expect(page.getByTitle('3 rules are on')).toBeAttached();
  await dialog().getByLabel('Name').fill('second');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().locator('ol b')).toHaveText(['zero', 'one', 'second']);
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  write('zero', 'one', 'second', 'third');
  await expect(page.getByTitle('4 rules are on')).toBeAttached();
  await dialog().getByLabel('Name').fill('new');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().locator('ol b')).toHaveText(['zero', 'one', 'second', 'third', /^new/]);
  expect(names()).toEqual(['zero', 'one', 'second', 'third', 'new']);
});

test('a file with a fault keeps the rules before it, and the dialog says so', async () => {
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: [{ name: 'tea', do: [{ answer: { body: 'tea' } }] }] }));
  await rulesTool().click();
  await expect(dialog().getByText('answer 200')).toBeVisible();
  fs.writeFileSync(file, '{ "version": 1, "rules": [ }');
  await expect(dialog().getByRole('alert')).toBeVisible();
  await expect(dialog().getByText('answer 200')).toBeVisible();
  expect((await get('/any')).body).toBe('tea');
  const script = { script: { code: 'function onRequest(request) {\n  request.method = "PUT" "POST";\n}' } };
  const missing = { answer: { file: 'answers/none.json' } };
  const rules = [script, missing].map((action, index) => ({ name: `rule ${index}`, do: [action] }));
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules }, null, 2));
  const faults = dialog().getByRole('list', { name: 'Faults of the rules file' }).getByRole('listitem');
  await expect(faults).toHaveText([
    /^Line 9, column \d+: The script does not compile in its line 2: SyntaxError/,
    /^Line 19, column \d+: There is no file .*none\.json: create it, or correct its path\.$/,
  ]);
  await picture('file-faults');
  expect((await get('/any')).body).toBe('tea');
});

test('the editor takes over from the plain field without losing text or cursor', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/code-mirror-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await rulesTool().click();
  await dialog().getByLabel('Preset').selectOption({ label: 'Wait 500 ms' });
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog().getByLabel('Name')).toBeFocused();
  await dialog().getByRole('radio', { name: 'JSON' }).click();
  const plain = dialog().locator('textarea[aria-label="Actions"]');
  await plain.fill('');
  await plain.pressSequentially('one two');
  await page.keyboard.press('Home');
  release();
  await expect(plain).toHaveCount(0);
  const editor = dialog().getByLabel('Actions', { exact: true });
  await expect(editor).toBeFocused();
  await page.keyboard.type('zero ');
  await expect(editor).toHaveText('zero one two');
});

test('a script is edited as code, and an error points at its line', async () => {
  await get('/api/tea');
  await rulesTool().click();
  await dialog().getByLabel('Preset').selectOption({ label: 'Script' });
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  const code = dialog().getByLabel('1. Script: code');
  const lines = dialog().locator('.cm-content[aria-label="1. Script: code"] .cm-line');
  await expect(lines).toHaveText(['function onRequest(request) {', /console\.log/, '}']);
  await code.fill('function onResponse(response) {\n  response.status = ;\n}');
  await expect(dialog().getByRole('alert')).toContainText('Line 2: SyntaxError');
  await expect(dialog().locator('.cm-fault')).toHaveText('  response.status = ;');
  await picture('script-fault');
  await code.fill('function onResponse(response) {\n  response.status = 418;\n  response.nothing.at = 1;\n}');
  await expect(dialog().getByRole('alert')).toHaveCount(0);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByRole('button', { name: 'Edit script' })).toBeVisible();
  expect((await get('/api/tea')).status).toBe(200);
  await dialog().getByRole('button', { name: 'Edit script' }).click();
  await expect(dialog().getByRole('alert')).toContainText('It failed when it last ran. Line 3: TypeError');
  await expect(dialog().locator('.cm-fault')).toHaveText('  response.nothing.at = 1;');
  await picture('script-failed');
  // Behind the dialog: the row names what failed, and still has its mark.
  const row = page.locator('.row', { hasText: '200 script' });
  await expect(row).toHaveCount(1);
  await expect(row.locator('.touched')).toBeInViewport({ ratio: 1 });
  await code.fill('function onResponse(response) {\n  response.status = 418;\n}');
  await expect(dialog().getByRole('alert')).toHaveCount(0);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByRole('button', { name: 'Edit script' })).toBeVisible();
  expect((await get('/api/tea')).status).toBe(418);
  const code418 = 'function onResponse(response) {\n  response.status = 418;\n}';
  await expect.poll(() => saved().rules[0].do[0].script.code).toBe(code418);
});

test('an answer has its body in an editor, groups are switched, and a limit counts', async () => {
  await rulesTool().click();
  await dialog().getByRole('button', { name: 'Add rule' }).click();
  await dialog().getByLabel('Name').fill('page');
  await dialog().getByRole('button', { name: 'Remove 2. Change response' }).click();
  await dialog().getByRole('button', { name: 'Remove 1. Change request' }).click();
  await expect(dialog().getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog().getByLabel('Add an action').selectOption({ label: 'Answer' });
  const body = dialog().getByLabel('1. Answer: body', { exact: true });
  const fields = dialog().getByLabel('1. Answer: fields');
  await body.fill('{"a":1,}');
  await expect(dialog().getByText('Not valid JSON')).toContainText('Sent as is.');
  await body.fill('{"a":1}');
  await dialog().getByRole('button', { name: 'Format' }).click();
  await expect(dialog().locator('.cm-content[aria-label="1. Answer: body"] .cm-line')).toHaveCount(3);
  await fields.fill('{\n  "status": 42\n}');
  await expect(dialog().getByRole('alert')).toContainText('answer.status');
  await fields.fill('{\n  "status": 200,\n  "headers": [["content-type", "text/html"]]\n}');
  await expect(dialog().getByRole('radio', { name: 'HTML' })).toBeChecked();
  await body.fill('<h1>Tea</h1>\n<p>short and stout</p>');
  await dialog().getByLabel('Group').fill('demo');
  await dialog().getByLabel('Only the next').fill('1');
  await picture('answer-form');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByText('no match yet of at most 1')).toBeVisible();

  expect((await get('/x')).body).toBe('<h1>Tea</h1>\n<p>short and stout</p>');
  expect((await get('/x')).body).toBe('from the origin');
  await expect(dialog().getByText('1 match of at most 1')).toBeVisible();
  await dialog().getByRole('group', { name: 'Groups' }).getByLabel('demo').click();
  await expect(dialog().getByRole('group', { name: 'Groups' }).getByLabel('demo')).not.toBeChecked();
  await expect.poll(() => saved().groupsOff).toEqual(['demo']);
  await picture('groups');
  // The group is removed with its last rule, and restored with it.
  await dialog().getByRole('button', { name: 'Remove page' }).click();
  await expect(dialog().getByText('No rules yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog().getByRole('group', { name: 'Groups' }).getByLabel('demo')).not.toBeChecked();
});

test('a page reads what another origin does not allow, by a mock and by the CORS preset', async () => {
  for (const [preset, name, when] of [
    ['Allow CORS', 'allow', 'method:PUT path:/api/allowed'],
    ['Script', 'mocked', 'method:PUT path:/api/mocked'],
  ] as const) {
    if ((await dialog().count()) === 0) await rulesTool().click();
    await dialog().getByLabel('Preset').selectOption({ label: preset });
    await dialog().getByRole('button', { name: 'Add rule' }).click();
    await dialog().getByLabel('Name').fill(name);
    await dialog().getByRole('textbox', { name: /^When/ }).fill(when);
    if (preset === 'Script') {
      await dialog().getByRole('radio', { name: 'JSON' }).first().click();
      await dialog()
        .getByLabel('Actions', { exact: true })
        .fill('[{ "answer": { "headers": [["x-a", "1"]], "body": "mocked", "cors": true } }]');
    }
    await dialog().getByRole('button', { name: 'Save' }).click();
    await expect(dialog().getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  }
  const proxied = await scene.viewer.newContext({ proxy: { server: host.proxy, bypass: '<-loopback>' } });
  const visited = await proxied.newPage();
  await visited.goto(`${origin.url}/page`);
  const put = (where: string) =>
    visited.evaluate(async (url) => {
      const init = { method: 'PUT', headers: { 'x-mine': '1' }, credentials: 'include' as const };
      return await fetch(url, init).then(
        async (response) => `${response.status} ${await response.text()}`,
        () => 'refused by the browser',
      );
    }, origin.url.replace('127.0.0.1', 'localhost') + where);
  expect(await put('/api/other')).toBe('refused by the browser');
  expect(await put('/api/allowed')).toBe('200 from the origin');
  received.length = 0;
  expect(await put('/api/mocked')).toBe('200 mocked');
  expect(received).toEqual([]);
});

test('the Rules tab compares both versions of each changed message of a stream', async () => {
  const list = { version: 1, rules: [{ name: 'euro', do: [{ changeResponse: { mergeJson: { currency: 'EUR' } } }] }] };
  fs.writeFileSync(file, JSON.stringify(list));
  await rulesTool().click();
  await expect(dialog().getByText('change response: body')).toBeVisible();
  await page.keyboard.press('Escape');
  origin.server.removeAllListeners('request').on('request', (_request, response: http.ServerResponse) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end('data: {"price":1,"currency":"USD"}\n\ndata: alive\n\ndata: {"price":2,"currency":"USD"}\n\n');
  });
  expect((await get('/prices')).body).toContain('"EUR"');
  await row('/prices').click();
  await page.keyboard.press('8');
  const tab = page.getByRole('tabpanel');
  for (const text of [
    'Changed message 1, to the client',
    'Changed message 2',
    '− "currency": "USD"',
    '+ "currency": "EUR"',
  ])
    await expect(tab).toContainText(text, { useInnerText: false });
  await expect(tab).not.toContainText('Changed message 3');
  await picture('changed-messages');
});

test('the Rules tab compares both versions of a message, its body and its trailers included', async () => {
  const change = {
    setHeaders: [['x-seen', 'yes']],
    setTrailers: [['x-sum', '2']],
    replaceBody: [{ find: 'origin', with: 'rule' }],
  };
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: [{ name: 'change', do: [{ changeResponse: change }] }] }));
  await rulesTool().click();
  await expect(dialog().getByText('change response: headers')).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await get('/one')).body).toBe('from the rule');
  await row('/one').click();
  await page.keyboard.press('8');
  const tab = page.getByRole('tabpanel');
  for (const line of ['+ x-seen: yes', '+ x-sum: 2 (trailer)', '− from the origin', '+ from the rule'])
    await expect(tab).toContainText(line);
  await picture('trailers');
});
