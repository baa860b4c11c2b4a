import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../docs');
const PAGE = fs.readFileSync(path.join(DOCS, 'scripts.md'), 'utf8');
const SCRIPTS = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text ?? '');
const TSC = path.resolve(import.meta.dirname, '../../../node_modules/.bin/tsc');
const REFERENCE = '/// <reference path="script.d.ts" />\n';

/** What an editor with TypeScript reports for a script next to the published types, with the libraries of a browser. */
function reported(script: string): string {
  const folder = temporaryFolder();
  fs.copyFileSync(path.join(DOCS, 'script.d.ts'), path.join(folder, 'script.d.ts'));
  fs.writeFileSync(path.join(folder, 'script.js'), REFERENCE + script);
  const strict = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--target', 'es2023', '--types', ''];
  return spawnSync(TSC, [...strict, 'script.js'], { cwd: folder, encoding: 'utf8' }).stdout;
}

it.each(SCRIPTS)('the published types fit the example: %s', (script) => {
  expect(SCRIPTS.length).toBeGreaterThan(2);
  expect(reported(script)).toBe('');
});

it('the published types fit async functions', () => {
  const script = `/** @type {OnResponse} */
    async function onResponse(response) { response.body = { ...response.json(), seen: true }; }
    /** @type {OnMessage} */
    async function onMessage(message) { if (message.direction === 'to-server') return 'drop'; }`;
  expect(reported(script)).toBe('');
});

it('the published types know the parameters, and what a function may return', () => {
  const script = `/** @type {OnRequest} */
    function onRequest(request) { request.header.set('a', 'b'); return { status: '200' }; }`;
  expect(reported(script)).toContain("Property 'header' does not exist on type 'RequestMessage'");
  expect(reported(script)).toContain("Type 'string' is not assignable to type 'number'");
});
