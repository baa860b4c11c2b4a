import type { CheckStep, Sighting } from '../../../shared/model/capture-check.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import type { ClientStream } from '../http/client-stream.ts';
import { checkPage } from './check-page.ts';
import { tokenOfHost, tokenOfLoopback } from './check-target.ts';
import { type EngineResponse, sendResponse } from './engine-response.ts';

const MARK = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
const REPORTS: Record<string, CheckStep> = { '/step/no-secure': 'no-secure', '/step/no-loopback': 'no-loopback' };

function mark(): EngineResponse {
  return { status: 200, statusText: 'OK', headers: ['content-type', 'image/svg+xml'], body: MARK };
}

function page(token: string): EngineResponse {
  const { html, policy } = checkPage(token);
  const headers = ['content-type', 'text/html; charset=utf-8', 'content-security-policy', policy];
  return { status: 200, statusText: 'OK', headers, body: Buffer.from(html) };
}

/** Answers a stream that belongs to a capture check. Returns false for any other stream. */
export function answerCheck(stream: ClientStream, sighted: (sighting: Sighting) => void): boolean {
  const { head, connection } = stream;
  const detail = firstHeader(head.headers, 'user-agent') ?? '';
  const from = connection.info.remoteAddress;
  const atLoopback = tokenOfLoopback(head.host, head.path);
  if (atLoopback !== null) {
    sighted({ token: atLoopback, step: 'loopback', detail, from });
    sendResponse(stream, mark());
    return true;
  }
  const token = tokenOfHost(head.host);
  if (token === null) return false;
  sighted({ token, step: head.scheme === 'https' ? 'secure' : 'plain', detail, from });
  const [path = ''] = head.path.split('?', 1);
  const report = REPORTS[path];
  if (report) sighted({ token, step: report, detail, from });
  sendResponse(stream, path === '/' ? page(token) : mark());
  return true;
}
