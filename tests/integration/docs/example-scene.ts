import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { parseRules } from '../../../electron/rules-file/parse-rules.ts';
import { withAbsolutePaths } from '../../../electron/rules-file/rule-paths.ts';
import type { HeldMessage } from '../../../shared/model/rule/held-message.ts';
import type { RuleList } from '../../../shared/model/rule/rule.ts';
import { NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { scriptHost } from '../../support/script-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What the origin got. */
export interface Arrived {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
}

const CART = { discount: 5, items: [{ price: 9 }] };

async function respond({ url = '' }: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const [, kind = '', rest = ''] = url.split(/[/?]/);
  if (kind === 'status') response.statusCode = Number(rest);
  if (kind === 'slow') await pause(1100);
  if (kind === 'cart') response.setHeader('content-type', 'application/json').end(JSON.stringify(CART));
  else if (kind === 'prices')
    response.setHeader('content-type', 'text/event-stream').end('id: 1\ndata: {"price":2}\n\n');
  else if (kind === 'checked') {
    response.setHeader('trailer', 'x-checksum-sha1, x-other').write('file');
    response.addTrailers({ 'x-checksum-sha1': '1', 'x-other': '2' });
    response.end();
  } else if (kind === 'users') response.setHeader('content-type', 'application/json').end('{"name":"Ada"}');
  else response.setHeader('content-type', 'text/plain').end('from the server');
}

/** An origin for all names, with a WebSocket that echoes. */
async function startOrigin() {
  const arrived: Arrived[] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    arrived.push({ method, url, headers });
    request.resume().on('end', () => void respond(request, response));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, arrived };
}

/** A rules file in its folder, an engine that uses it, and an origin to which all names lead. */
export async function exampleScene(file: string, files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  const origin = await startOrigin();
  const scripts = scriptHost();
  const wakes: (() => void)[] = [];
  const onBreaks = () => {
    for (const wake of wakes.splice(0)) wake();
  };
  const settings = { hostOverrides: [{ ...NO_OVERRIDE, host: '*.example.com', address: '127.0.0.1' }] };
  const through = await testEngine(settings, {}, { scripts, onBreaks });
  const { breaks } = through.engine;
  breaks.watched = true;
  const use = (change: Partial<RuleList> = {}) => {
    // A free port takes the place of the one that the example names.
    const parsed = parseRules(file.replace('"port": 3000', `"port": ${origin.port}`));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed));
    through.engine.applyRules(withAbsolutePaths({ ...parsed.rules, ...change }, folder));
  };
  use();
  const url = (where: string) => `http://${where.replace('/', `:${origin.port}/`)}`;
  /** `where`: `api.example.com/path`. Status, fields in lower case and body; status 0: no response. */
  const get = async (where: string, ...args: string[]) => {
    const { stdout, exitCode } = await curl(through, '-i', url(where), ...args);
    const [head = '', ...rest] = stdout.split('\r\n\r\n');
    const status = exitCode === 0 ? Number(head.split(' ')[1]) : 0;
    return { status, head: head.toLowerCase(), body: rest.join('\r\n\r\n') };
  };
  /** The exchange that ended last. */
  const last = async (count = 1) => {
    const exchange = await through.seen.ended1(() => through.seen.all.length >= count);
    return through.seen.all[count - 1] ?? exchange;
  };
  const held = async (): Promise<HeldMessage> => {
    for (;;) {
      const [first] = breaks.list();
      if (first) return breaks.get(first.id);
      await new Promise<void>((resolve) => wakes.push(resolve));
    }
  };
  return { ...through, ...{ folder, origin, scripts, breaks, use, url, get, last, held } };
}
export type ExampleScene = Awaited<ReturnType<typeof exampleScene>>;

/** A WebSocket through the proxy. */
export async function openSocket({ port, origin }: ExampleScene, where: string): Promise<WebSocket> {
  const target = `${where.split('/')[0]}:${origin.port}`;
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  await once(socket, 'readable');
  socket.read();
  const client = new WebSocket(`ws://${where.replace('/', `:${origin.port}/`)}`, { createConnection: () => socket });
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  return client;
}
