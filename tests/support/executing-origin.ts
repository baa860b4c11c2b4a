import net from 'node:net';
import { http2Origin } from './http2-origin.ts';
import { listenInTest } from './listen-in-test.ts';

/** How often each request was executed, by its path, and how many of those got no response. */
export class Executions {
  readonly #times = new Map<string, number>();
  unanswered = 0;

  add(path: string): void {
    this.#times.set(path, (this.#times.get(path) ?? 0) + 1);
  }

  get requests(): number {
    return this.#times.size;
  }

  /** Requests that were executed more than once. */
  get repeated(): string[] {
    return [...this.#times].filter(([, times]) => times > 1).map(([path]) => path);
  }
}

const HEAD = /^(\S+) (\S+) HTTP\/1\.1\r\n(?:.+\r\n)*?content-length: (\d+)\r\n(?:.+\r\n)*\r\n/i;

/** What happens to a request after its execution; `earlier`: how many its connection carried before. */
export type Verdict = (earlier: number) => 'respond' | 'close' | 'reset' | 'respond, then close';

/**
 * An HTTP/1.1 server that takes any method, executes each request, and responds or ends the connection as `verdict`
 * says: with a reset after `resetsAfter` milliseconds.
 */
export async function executingOrigin(
  verdict: Verdict,
  resetsAfter = 0,
): Promise<{ port: number; executions: Executions }> {
  const executions = new Executions();
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    let received = '';
    let earlier = 0;
    socket.setNoDelay(true).on('data', (chunk) => {
      received += chunk.toString('latin1');
      const [head = '', , path = '', length = ''] = HEAD.exec(received) ?? [];
      if (head === '' || received.length < head.length + Number(length)) return;
      received = received.slice(head.length + Number(length));
      executions.add(path);
      const what = verdict(earlier);
      earlier += 1;
      if (what.startsWith('respond')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else executions.unanswered += 1;
      if (what === 'close') socket.end();
      else if (what === 'reset') setTimeout(() => socket.resetAndDestroy(), resetsAfter);
      else if (what === 'respond, then close') setTimeout(() => socket.end(), 1);
    });
  });
  const port = await listenInTest(server);
  return { port, executions };
}

/**
 * The same over HTTP/2, where a session is destroyed under its requests. `verdict`: whether this request destroys it.
 */
export async function executingHttp2Origin(verdict: () => boolean) {
  const executions = new Executions();
  const origin = await http2Origin((stream, headers) => {
    stream.resume().on('end', () => {
      executions.add(String(headers[':path']));
      if (stream.destroyed || !verdict()) {
        if (stream.destroyed) executions.unanswered += 1;
        else stream.respond({ ':status': 200 }, { endStream: true });
        return;
      }
      executions.unanswered += 1;
      stream.session?.destroy();
    });
  });
  return { origin, executions };
}
