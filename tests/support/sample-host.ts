import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import * as v from 'valibot';
import { WebSocketServer } from 'ws';
import { columnsText } from '../../electron/session/read/columns-text.ts';
import { type Call, CallSchema } from '../../shared/contract/envelope.ts';
import { DEFAULT_SETTINGS } from '../../shared/model/settings.ts';
import { SAMPLE_CLIENTS, SAMPLE_COMMANDS, SAMPLE_LAUNCHERS } from './sample-inspector/sample-clients.ts';
import { cellsOf, sampleRow } from './sample-inspector/sample-rows.ts';
import { SAMPLE_OUTCOMES, SAMPLE_RULES } from './sample-inspector/sample-rules.ts';
import { SAMPLE_CERTIFICATE as certificate, SAMPLE_CA, SAMPLE_CHANGES } from './sample-inspector/sample-trust.ts';

/**
 * `node tests/support/sample-host.ts <folder of the built page> <port> <rows>`: the window with invented rows, to look
 * at it.
 */
const [folder = 'dist/renderer', port = '4173', count = '500'] = process.argv.slice(2);
const rows = Array.from({ length: Number(count) }, (_, index) => sampleRow(index + 1));
const session = { id: 's1', path: '/tmp/sample.roundtrip', exchanges: rows.length, bytes: 1_000_000 };
const engine = {
  state: 'running',
  proxyUrl: 'http://127.0.0.1:8080',
  failure: null,
  recordingFailure: null,
  waiting: 0,
  lost: 0,
  memory: 148_000_000,
  clientConnections: 12,
  upstreamConnections: 9,
  bytesNotKept: 0,
  reverse: [],
  ruleHits: [],
};
let settings = DEFAULT_SETTINGS;

function exchangeOf(id: number) {
  const row = rows[id - 1] ?? sampleRow(id);
  const tls = {
    version: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: 'h2',
    serverName: row.authority,
    resumed: false,
    certificate,
  };
  const connection = {
    id: 2,
    protocol: row.protocol,
    localAddress: '127.0.0.1:50212',
    remoteAddress: '203.0.113.7:443',
    reused: false,
    tls,
    via: null,
  };
  const headers = [
    'content-type',
    row.mediaType,
    'Cache-Control',
    'max-age=60',
    'Set-Cookie',
    'a=1; Path=/; HttpOnly',
    'Set-Cookie',
    'b=2',
  ];
  const body = { size: 420, stored: 420, complete: true };
  const failure = row.failureCode
    ? {
        code: row.failureCode,
        side: 'upstream',
        message: `${row.authority} refused the connection at 203.0.113.7:443.`,
        cause: 'ECONNREFUSED',
      }
    : null;
  const shared = { httpVersion: 'HTTP/2.0', trailers: [], headSize: 400, body };
  const request = {
    ...shared,
    method: row.method,
    scheme: row.scheme,
    authority: row.authority,
    host: row.authority,
    port: 443,
    path: row.path,
    headers: [':authority', row.authority, 'accept', '*/*', 'user-agent', 'Sample/1.0'],
  };
  const response = failure ? null : { ...shared, status: row.status, statusText: '', headers, informational: [] };
  const attempts = [{ startedAfter: 0, duration: row.total, connection, failure, retryReason: null }];
  const { kind, state, startedAt, timings } = row;
  return {
    id,
    revision: 1,
    kind,
    state,
    startedAt,
    client: connection,
    upstream: connection,
    request,
    response,
    attempts,
    timings,
    failure,
    route: null,
    rules: id % 10 === 2 ? SAMPLE_OUTCOMES : [],
    sent: id % 10 === 2 ? { ...request, path: '/v2/items', headers: ['cache-control', 'no-cache'] } : null,
    received: null,
    mark: id % 10 === 2 ? { colour: 'red', note: 'server error' } : null,
    messageEdits: null,
    replayOf: id % 10 === 4 ? { session: 's1', exchange: id - 1 } : null,
  };
}

const JSON_BODY = Buffer.from(
  '{"users":[{"id":1,"name":"Ada","admin":true,"score":9.5,"tags":["a","b"]},' +
    '{"id":2,"name":"Brian","admin":false,"manager":null}],"next":"/api/v2/users?page=2"}',
);

function pageOf(after: number | null, limit: number) {
  const from = after ?? Math.max(0, rows.length - limit);
  const page = rows.slice(from, from + limit);
  return {
    columns: columnsText(page.map(cellsOf)),
    count: page.length,
    badRows: 0,
    last: page.at(-1)?.id ?? 0,
    more: after === null ? from > 0 : from + limit < rows.length,
  };
}

function valueFor({ name, input }: Call): unknown {
  const given = input as { after?: number | null; limit?: number; id?: number };
  if (name === 'rules.get') return SAMPLE_RULES;
  if (name === 'rules.update') return { ...SAMPLE_RULES, rules: (input as { rules: object }).rules };
  if (name === 'sessions.list') return { sessions: [session] };
  const edits = { removed: [], marks: [] };
  if (name === 'feed.open') return { session, sequence: 0, at: Date.now(), edits, newest: pageOf(null, 500) };
  if (name === 'session.edits') return edits;
  if (name === 'exchanges.rows') return pageOf(given.after ?? null, given.limit ?? 1);
  if (name === 'exchanges.get') return exchangeOf(given.id ?? 1);
  if (name === 'body.read')
    return {
      data: JSON_BODY.toString('base64'),
      size: JSON_BODY.length,
      complete: true,
      codings: ['br'],
      problem: null,
    };
  if (name.startsWith('settings')) {
    settings = { ...settings, ...(input as object) };
    return settings;
  }
  if (name === 'engine.status') return engine;
  if (name === 'app.info') return { version: '0.1.0', host: 'headless', platform: 'linux', dataFolder: '/tmp' };
  if (name.startsWith('system-proxy.')) return { state: 'on', label: 'GNOME', detail: '127.0.0.1:8080' };
  if (name.startsWith('devices.')) return { open: true, urls: ['http://192.168.1.23:8866/', 'http://10.0.0.7:8866/'] };
  if (name === 'launchers.list') return SAMPLE_LAUNCHERS;
  if (name.startsWith('commands.')) return SAMPLE_COMMANDS;
  if (name === 'clients.list') return { clients: SAMPLE_CLIENTS };
  if (name === 'clients.check') return { client: SAMPLE_CLIENTS[0], url: 'http://check.invalid/', opened: false };
  if (name === 'ca.install' || name === 'ca.uninstall') return { changes: SAMPLE_CHANGES, status: SAMPLE_CA };
  if (name.startsWith('ca.')) return SAMPLE_CA;
  return {};
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const server = http.createServer((request, response) => {
  const pathname = new URL(request.url ?? '/', 'http://localhost').pathname;
  const file = path.join(folder, pathname === '/' ? 'index.html' : pathname);
  if (!fs.existsSync(file)) return void response.writeHead(404).end();
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
  response.writeHead(200, {
    'content-type': types[path.extname(file)] ?? 'text/plain',
    'content-security-policy': policy,
  });
  response.end(fs.readFileSync(file));
});
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('message', (data) => {
    const call = v.parse(CallSchema, JSON.parse(data.toString()));
    socket.send(JSON.stringify({ call: call.call, ok: true, value: valueFor(call) }));
  });
});
server.listen(Number(port), '127.0.0.1');
