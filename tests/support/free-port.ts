import net from 'node:net';

/**
 * A port that is free and stays free until its owner listens: below those that systems give to outgoing connections and
 * to listeners without a port (from 32768 on Linux, 49152 elsewhere), where another test could get it in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
