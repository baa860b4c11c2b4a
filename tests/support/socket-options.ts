import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { text } from 'node:stream/consumers';
import { hasProgram } from './has-program.ts';

export interface SocketOption {
  localPort: number;
  remotePort: number;
  noDelay: boolean;
  keepAlive: boolean;
}

/** Whether the system and python3 can report them. */
export const HAS_SOCKET_OPTIONS = process.platform === 'linux' && hasProgram('python3');

const READ = `
import json, socket, sys
found = []
for fd in range(3, 3 + int(sys.argv[1])):
    try:
        it = socket.socket(fileno=fd)
        if it.family in (socket.AF_INET, socket.AF_INET6):
            option = it.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            keep = it.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            ports = {"localPort": it.getsockname()[1], "remotePort": it.getpeername()[1]}
            found.append({**ports, "noDelay": option != 0, "keepAlive": keep != 0})
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

/**
 * What the system reports about this process's connected TCP sockets (Linux): another program inherits them and asks.
 */
export async function socketOptions(): Promise<SocketOption[]> {
  const sockets = openSockets();
  const child = spawn('python3', ['-c', READ, String(sockets.length)], {
    stdio: ['ignore', 'pipe', 'inherit', ...sockets],
  });
  const { stdout } = child;
  if (!stdout) throw new Error('python3 has no output');
  return JSON.parse(await text(stdout));
}
