import http from 'node:http';
import { listen } from './listen.ts';

export interface PlainOrigin {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  server: http.Server;
  /** Ends open connections too. */
  close(): void;
}

/** A real HTTP/1.1 server without TLS on loopback. */
export async function plainOrigin(respond: http.RequestListener): Promise<PlainOrigin> {
  const server = http.createServer(respond);
  const port = await listen(server);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, server, close };
}
