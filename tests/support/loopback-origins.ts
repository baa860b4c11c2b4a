import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type TestEngine, testEngine } from './engine.ts';
import { httpsOrigin } from './https-origin.ts';

export interface LoopbackOrigins {
  through: TestEngine;
  /** `http://localhost:PORT`. */
  plain: string;
  /** `https://localhost:PORT`, with a certificate that only the engine trusts. */
  secure: string;
  /** Of that certificate's CA. */
  caPath: string;
  /** `GET http://localhost:PORT/path` of each finished exchange, sorted, once there are this many. */
  captured(count: number): Promise<string[]>;
  /** Of each request that reached an origin, past the engine or not, sorted. */
  reached(): string[];
}

/** An engine, and an origin for each scheme on loopback that answers a request with its path. */
export async function loopbackOrigins(): Promise<LoopbackOrigins> {
  const respond: http.RequestListener = (request, response) => void response.end(`path ${request.url}`);
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${plain}${request.url}`);
    respond(request, response);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const plain = `http://localhost:${(server.address() as AddressInfo).port}`;
  const secure = await httpsOrigin(respond);
  const through = await testEngine({ upstreamCaFiles: [secure.caPath] });
  return {
    ...{ through, plain, secure: secure.url, caPath: secure.caPath },
    captured: async (count) => {
      const { seen: exchanges } = through;
      if (exchanges.all.length < count) await exchanges.ended1(() => exchanges.all.length >= count);
      return exchanges.all
        .map(({ request: { method, scheme, authority, path } }) => `${method} ${scheme}://${authority}${path}`)
        .sort();
    },
    reached: () => [...seen, ...secure.seen.map((line) => line.replace(' ', ` ${secure.url}`))].sort(),
  };
}
