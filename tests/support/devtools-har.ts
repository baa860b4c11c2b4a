import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS } from './chromium.ts';
import { DevtoolsPage } from './devtools-page.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FRONT_END = 'devtools://devtools/bundled/devtools_app.html';

/** A request as the Network panel has it after "Import HAR file"; times in seconds, as it holds them. */
export interface DevtoolsRequest {
  method: string;
  url: string;
  status: number;
  protocol: string;
  type: string;
  startTime: number;
  endTime: number;
  duration: number;
  /** Until the first byte; the panel's own sum. */
  latency: number;
  resourceSize: number;
  transferSize: number;
  connectionId: string;
  address: string;
  requestHeaders: { name: string; value: string }[];
  responseHeaders: { name: string; value: string }[];
  body: string | null;
  isBase64: boolean;
  postData: string | null;
  frames: number;
}

/** Runs in the front end: its own importer, on its own classes. */
const IMPORT = `async (text) => {
  const { Importer, HARFormat } = await import('devtools://devtools/bundled/models/har/har.js');
  const requests = Importer.Importer.requestsFromHARLog(new HARFormat.HARRoot(JSON.parse(text)).log);
  return Promise.all(requests.map(async (request) => {
    const content = await request.requestContentData();
    const has = content !== undefined && !('error' in content);
    return {
      method: request.requestMethod,
      url: request.url(),
      status: request.statusCode,
      protocol: request.protocol,
      type: request.resourceType().name(),
      startTime: request.startTime,
      endTime: request.endTime,
      duration: request.duration,
      latency: request.latency,
      resourceSize: request.resourceSize,
      transferSize: request.transferSize,
      connectionId: String(request.connectionId),
      address: request.remoteAddress(),
      requestHeaders: request.requestHeaders(),
      responseHeaders: request.responseHeaders,
      body: has ? (content.isTextContent ? content.text : content.base64) : null,
      isBase64: has && !content.isTextContent,
      postData: await request.requestFormData(),
      frames: request.frames().length,
    };
  }));
}`;

/** Reads a HAR with the importer of Chromium's DevTools, in that Chromium. */
export async function devtoolsRequests(chromium: string, har: string): Promise<DevtoolsRequest[]> {
  const profile = `--user-data-dir=${temporaryFolder()}`;
  const flags = [...CHROMIUM_FLAGS, '--headless=new', '--remote-debugging-port=0', profile, 'about:blank'];
  // A separate group: Debian's chromium is a script, and its children outlive it.
  const browser = spawn(chromium, flags, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  onTestFinished(() => {
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
  });
  const address = await debuggingAddress(browser.stderr);
  const target = `http://${new URL(address).host}/json/new?${encodeURIComponent(FRONT_END)}`;
  await fetch(target, { method: 'PUT' });
  const page = await DevtoolsPage.connect(address, FRONT_END);
  onTestFinished(() => page.close());
  return (await page.evaluate(`(${IMPORT})(${JSON.stringify(har)})`)) as DevtoolsRequest[];
}

async function debuggingAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('Chromium ended before it listened');
}
