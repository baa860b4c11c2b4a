import fs from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { fileURLToPath } from 'node:url';
import { urlWithoutLogin } from '../../../shared/format/proxy-url.ts';
import { trustedRoots } from '../../engine/ca/system-roots.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { refuseLockedHere } from '../../files/locked-here.ts';

const SIZE_LIMIT = 1024 * 1024;
const TIME_LIMIT = 10_000;
const MOST_REDIRECTS = 5;

function request(url: string, timeLimit: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { timeout: timeLimit, headers: { accept: 'application/x-ns-proxy-autoconfig, */*' } };
    // Directly, regardless of the proxy settings, which are what is being read.
    const asked = url.startsWith('https:')
      ? getHttps(url, { ...options, agent: false, ca: [...trustedRoots()] }, resolve)
      : getHttp(url, { ...options, agent: false }, resolve);
    asked.once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error(`no response within ${timeLimit / 1000} s`)));
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

async function download(url: string, timeLimit: number, redirects = 0): Promise<string> {
  const response = await request(url, timeLimit);
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location && redirects < MOST_REDIRECTS) {
    response.resume();
    return await download(new URL(headers.location, url).href, timeLimit, redirects + 1);
  }
  if (statusCode !== 200) {
    response.resume();
    throw new Error(`the server responded with ${statusCode}`);
  }
  return await textOf(response);
}

/**
 * Reads the text at an `http://`, `https://` or `file://` URL, or at a path. Rejects with an Error. `timeLimit`: socket
 * inactivity timeout in milliseconds.
 */
export async function readPacText(where: string, timeLimit = TIME_LIMIT): Promise<string> {
  if (/^https?:\/\//i.test(where)) return await download(where, timeLimit);
  const file = where.startsWith('file:') ? fileURLToPath(where) : where;
  refuseLockedHere(file);
  return await fs.readFile(file, 'utf8');
}

/** Reads the PAC file that the settings name. Rejects with `proxy.pac-unreadable`. */
export async function readPac(where: string): Promise<string> {
  try {
    return await readPacText(where);
  } catch (error) {
    throw roundtripError('proxy.pac-unreadable', { where: urlWithoutLogin(where), detail: describe(error) });
  }
}
