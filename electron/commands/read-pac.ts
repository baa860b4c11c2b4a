import fs from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { fileURLToPath } from 'node:url';
import { describe, roundtripError } from '../engine/errors.ts';
import { trustedRoots } from '../engine/tls/system-roots.ts';

const SIZE_LIMIT = 1024 * 1024;
const TIME_LIMIT = 10_000;
const MOST_REDIRECTS = 5;

function request(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIME_LIMIT, headers: { accept: 'application/x-ns-proxy-autoconfig, */*' } };
    // Straight to it, whatever the proxy settings say: they are what is being read.
    const asked = url.startsWith('https:')
      ? getHttps(url, { ...options, agent: false, ca: [...trustedRoots()] }, resolve)
      : getHttp(url, { ...options, agent: false }, resolve);
    asked.once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${TIME_LIMIT / 1000} s`)));
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > SIZE_LIMIT) throw new Error(`it is larger than ${SIZE_LIMIT} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function download(url: string, redirects = 0): Promise<string> {
  const response = await request(url);
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location && redirects < MOST_REDIRECTS) {
    response.resume();
    return await download(new URL(headers.location, url).href, redirects + 1);
  }
  if (statusCode !== 200) {
    response.resume();
    throw new Error(`the server answered ${statusCode}`);
  }
  return await textOf(response);
}

/** The script of a PAC file: `http://`, `https://` or `file://` URL, or a path. Rejects with `proxy.pac-unreadable`. */
export async function readPac(where: string): Promise<string> {
  try {
    if (/^https?:\/\//i.test(where)) return await download(where);
    return await fs.readFile(where.startsWith('file:') ? fileURLToPath(where) : where, 'utf8');
  } catch (error) {
    throw roundtripError('proxy.pac-unreadable', { where, detail: describe(error) });
  }
}
