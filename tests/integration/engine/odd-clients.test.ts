import { execFile } from 'node:child_process';
import http from 'node:http';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { pythonWith } from '../../support/test-python.ts';
import { ODD_RESPONSES } from './odd-responses.ts';

const PYTHON = pythonWith('http.client');
const CHROMIUM = chromiumPath();
const named = ODD_RESPONSES.map((each) => [each.name, each.bytes] as const);

/** A client's own report of a response: what it read, or how it failed. `proxy`: host:port; null: direct. */
type Client = (url: string, proxy: string | null) => Promise<string>;

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'latin1', timeout: 110_000 }, (error, stdout, stderr) => {
      resolve(`${error?.code ?? 0} ${stdout} ${stderr.trim().split('\n').at(-1)}`);
    });
  });
}

const curl: Client = (url, proxy) =>
  run('curl', ['-sS', '-i', '--raw', '-m', '10', '--noproxy', proxy ? '' : '*', ...(proxy ? ['-x', proxy] : []), url]);

const SCRIPT = `
import http.client, sys
connection = http.client.HTTPConnection(sys.argv[2] or sys.argv[1].split('/')[2], timeout=10)
connection.request('GET', sys.argv[1] if sys.argv[2] else '/')
response = connection.getresponse()
print(response.status, response.getheaders(), response.read())`;

const python: Client = (url, proxy) => run(PYTHON ?? '', ['-c', SCRIPT, url, proxy ?? '']);

const node: Client = (url, proxy) =>
  new Promise((resolve) => {
    const { host } = new URL(url);
    const [hostname, port] = (proxy ?? host).split(':');
    const path = proxy ? url : '/';
    const request = http.get({ hostname, port, path, headers: { host }, agent: false }, (response) => {
      let body = '';
      response.setEncoding('latin1').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve(`${response.statusCode} ${response.rawHeaders.join()} ${body}`));
      response.on('error', (error) => resolve(`${error.message} ${body}`));
    });
    request.on('error', (error) => resolve(`${(error as NodeJS.ErrnoException).code} ${error.message}`));
  });

async function browser(proxy: string | null): Promise<{ read: Client; close(): Promise<void> }> {
  const args = [...CHROMIUM_FLAGS, '--proxy-bypass-list=<-loopback>'];
  const settings = proxy ? { proxy: { server: `http://${proxy}` } } : {};
  const started = await chromium.launch({ executablePath: CHROMIUM ?? '', args, ...settings });
  const page = await started.newPage();
  const read: Client = async (url) => {
    try {
      const response = await page.goto(url);
      return `${response?.status()} ${await page.evaluate('document.body.innerText')}`;
    } catch (error) {
      return String(error).match(/net::\w+/)?.[0] ?? String(error);
    }
  };
  return { read, close: () => started.close() };
}

let through: TestEngine;
beforeAll(async () => {
  through = await startTestEngine();
});
afterAll(() => through.engine.close({ graceMs: 0 }));

/** The same response to each request; the origin ends its connections, because a client may read until then. */
async function compare(bytes: string, direct: Client, proxied: Client): Promise<string> {
  const origin = await rawOrigin((socket, received) => {
    if (received.endsWith('\r\n\r\n')) socket.end(bytes, 'latin1');
  });
  const url = `http://127.0.0.1:${origin.port}/`;
  const read = await direct(url, null);
  expect(await proxied(url, `127.0.0.1:${through.port}`)).toBe(read);
  return read;
}

const [, FOLDED] = named[0] as (typeof named)[number];

describe('a client takes a faulty response, or refuses it, as it does direct', () => {
  it.each(named)('curl: %s', async (_name, bytes) => void (await compare(bytes, curl, curl)));
  it.each(named)('Node: %s', async (_name, bytes) => void (await compare(bytes, node, node)));
  it.skipIf(!PYTHON).each(named)('Python: %s', async (_name, bytes) => void (await compare(bytes, python, python)));

  it('a folded field is taken by curl and Python, and refused by Node', async () => {
    expect(await compare(FOLDED, curl, curl)).toContain('ok');
    if (PYTHON) expect(await compare(FOLDED, python, python)).toContain('ok');
    expect(await compare(FOLDED, node, node)).toContain('HPE_');
  });

  describe.skipIf(!CHROMIUM)('Chromium', () => {
    let direct: Awaited<ReturnType<typeof browser>>;
    let proxied: Awaited<ReturnType<typeof browser>>;
    beforeAll(async () => {
      direct = await browser(null);
      proxied = await browser(`127.0.0.1:${through.port}`);
    });
    afterAll(async () => {
      await direct.close();
      await proxied.close();
    });
    it.each(named)('%s', async (_name, bytes) => void (await compare(bytes, direct.read, proxied.read)));
    it('takes a folded field', async () => {
      expect(await compare(FOLDED, direct.read, proxied.read)).toBe('200 ok');
    });
  });
});
