import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { hasProgram } from '../../support/has-program.ts';
import { runLaunched } from '../../support/launched-client.ts';
import { loopbackOrigins } from '../../support/loopback-origins.ts';
import { CAN_PRELOAD, loopbackThrough } from '../../support/loopback-preload.ts';

/** `connected(socket)` as its user sees it, then a request and the response's last line. */
const START = `import errno, select, socket, sys
port = int(sys.argv[1])
def response(made):
    made.setblocking(True)
    made.sendall(b'GET /x HTTP/1.1\\r\\nHost: localhost:%d\\r\\nConnection: close\\r\\n\\r\\n' % port)
    text = b''
    for piece in iter(lambda: made.recv(65536), b''):
        text += piece
    return text.decode().splitlines()[-1]
`;

describe.skipIf(!CAN_PRELOAD || !hasProgram('python3'))('a program with the preloaded library', () => {
  async function run(script: string, more: Record<string, string> = {}) {
    const origins = await loopbackOrigins();
    const env = { ...process.env, ...loopbackThrough(origins.through), ...more };
    const { port } = new URL(origins.plain);
    return { origins, port, said: await runLaunched(['python3', '-c', `${START}${script}`, port], env) };
  }

  it('connects by a blocking socket, and sees its target as the peer', async () => {
    const { said, port, origins } = await run(`made = socket.create_connection(('localhost', port))
print(made.getpeername()[1], response(made))`);
    expect(said).toBe(`${port} path /x\n`);
    expect(await origins.captured(1)).toEqual([`GET ${origins.plain}/x`]);
  });

  it('connects with a non-blocking socket, which first reports EINPROGRESS', async () => {
    const { said, origins } =
      await run(`family, kind, proto, _, address = socket.getaddrinfo('localhost', port, type=socket.SOCK_STREAM)[0]
made = socket.socket(family, kind, proto)
made.setblocking(False)
begun = made.connect_ex(address)
writable = select.select([], [made], [], 10)[1] == [made]
print(begun == errno.EINPROGRESS, writable, made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), response(made))`);
    expect(said).toBe('True True 0 path /x\n');
    expect(await origins.captured(1)).toEqual([`GET ${origins.plain}/x`]);
  });

  it('connects directly to an excepted port, and leaves UDP alone', async () => {
    const origins = await loopbackOrigins();
    const { port } = new URL(origins.plain);
    const script = `made = socket.create_connection(('localhost', port))
sender, receiver = socket.socket(type=socket.SOCK_DGRAM), socket.socket(type=socket.SOCK_DGRAM)
receiver.bind(('127.0.0.1', 0))
sender.connect(receiver.getsockname())
sender.send(b'datagram')
print(receiver.recv(100).decode(), response(made))`;
    const env = { ...process.env, ...loopbackThrough(origins.through), LOOPBACK_EXCEPT: `1,${port}` };
    expect(await runLaunched(['python3', '-c', `${START}${script}`, port], env)).toBe('datagram path /x\n');
    expect(origins.through.seen.started).toBe(0);
  });

  it('is refused if the proxy is gone', async () => {
    const gone = String(await freePort());
    const { said } = await run("print(socket.socket().connect_ex(('127.0.0.1', port)) == errno.ECONNREFUSED)", {
      LOOPBACK_PROXY_PORT: gone,
    });
    expect(said).toBe('True\n');
  });
});
