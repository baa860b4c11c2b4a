import http from 'node:http';
import { listenInTest } from './listen-in-test.ts';

export type Responder = (response: http.ServerResponse) => void;

export const ACCEPT: Responder = (response) => response.end('{}');

interface Seen {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** A collector that responds in these ways in turn, the last one forever. */
export async function scriptedCollector(...responders: Responder[]): Promise<{ seen: Seen[]; url: string }> {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    seen.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces) });
    (responders[seen.length - 1] ?? responders.at(-1))?.(response);
  });
  const port = await listenInTest(server);
  return { seen, url: `http://127.0.0.1:${port}` };
}
