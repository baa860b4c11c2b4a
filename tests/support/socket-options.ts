import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';

export interface SocketOption {
  localPort: number;
  remotePort: number;
  noDelay: boolean;
}

const READ = `
import json, socket, sys
found = []
for fd in range(3, 3 + int(sys.argv[1])):
    try:
        it = socket.socket(fileno=fd)
        if it.family in (socket.AF_INET, socket.AF_INET6):
            option = it.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            found.append({"localPort": it.getsockname()[1], "remotePort": it.getpeername()[1], "noDelay": option != 0})
        it.detach()
    except OSError:
        pass
print(json.dumps(found))
`;

function openSockets(): number[] {
  return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:') ? [Number(fd)] : [];
    } catch {
      return [];
    }
  });
}

/** What the system says of this process's connected TCP sockets (Linux): another program inherits them, and asks. */
export async function socketOptions(): Promise<SocketOption[]> {
  const sockets = openSockets();
  const child = spawn('python3', ['-c', READ, String(sockets.length)], {
    stdio: ['ignore', 'pipe', 'inherit', ...sockets],
  });
  const { stdout } = child;
  if (!stdout) throw new Error('python3 has no output');
  return JSON.parse(await text(stdout));
}
