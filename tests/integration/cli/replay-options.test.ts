import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { ComposedRequest } from '../../../shared/model/replay/composed-request.ts';
import { callHost } from '../../support/call-host.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Notes each request under `name`, and redirects `/from` to `/to`. As a proxy, it responds itself. */
async function origin(name: string, arrived: string[]): Promise<number> {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any.test');
    arrived.push(`${name} ${request.method} ${pathname} ${request.headers['x-rule'] ?? '-'}`);
    if (pathname === '/from') response.writeHead(302, { location: '/to' });
    response.end(name);
  });
  return await listenInTest(server);
}

/** A host with a rule that adds a field and, if asked, an upstream proxy. */
async function host(...options: string[]) {
  const file = path.join(temporaryFolder(), 'rules.json');
  const rule = { name: 'field', do: [{ changeRequest: { setHeaders: [['x-rule', 'yes']] } }] };
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: [rule] }));
  const { ui } = await new RoundtripCli(['serve', '--port', '0', '--json', '--rules', file, ...options]).ready();
  return async (url: string, change: Partial<ComposedRequest> = {}) => {
    const request: ComposedRequest = {
      ...{ method: 'GET', url, headers: [], body: { kind: 'none' }, protocol: 'as-before' },
      ...{ rules: true, route: 'configured', redirects: false, variables: false, ...change },
    };
    await callHost(ui, 'replay.send', { of: null, request });
  };
}

it('a composed request follows redirects only if asked, and applies rules only if asked', async () => {
  const arrived: string[] = [];
  const url = `http://127.0.0.1:${await origin('origin', arrived)}/from`;
  const send = await host();
  await send(url);
  await expect.poll(() => arrived).toEqual(['origin GET /from yes']);
  await send(url, { redirects: true, rules: false });
  await expect.poll(() => arrived.slice(1)).toEqual(['origin GET /from -', 'origin GET /to -']);
});

it('a composed request bypasses the upstream proxy on request', async () => {
  const arrived: string[] = [];
  const url = `http://127.0.0.1:${await origin('origin', arrived)}/a`;
  const send = await host('--upstream-proxy', `http://127.0.0.1:${await origin('proxy', arrived)}`);
  await send(url);
  await expect.poll(() => arrived).toEqual(['proxy GET /a yes']);
  await send(url, { route: 'direct' });
  await expect.poll(() => arrived.slice(1)).toEqual(['origin GET /a yes']);
});
