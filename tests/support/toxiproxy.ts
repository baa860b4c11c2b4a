import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { hasProgram } from './has-program.ts';
import { startServer } from './start-server.ts';

const PROGRAM = path.join(process.env.GOPATH ?? path.join(os.homedir(), 'go'), 'bin', 'toxiproxy-server');

export const HAS_TOXIPROXY = hasProgram(PROGRAM, '-version');

export interface Toxic {
  type: 'latency' | 'bandwidth' | 'slow_close' | 'timeout' | 'reset_peer' | 'slicer' | 'limit_data';
  attributes: Record<string, number>;
}

/** A loopback link that its toxics degrade, towards us. */
export interface BadLine {
  port: number;
  add(toxic: Toxic): Promise<void>;
  remove(type: Toxic['type']): Promise<void>;
}

/** A link to `target`; ended with the test. */
export async function badLine(target: number, toxic: Toxic): Promise<BadLine> {
  const [api, port] = [await freePort(), await freePort()];
  await startServer(api, PROGRAM, ['-host', '127.0.0.1', '-port', String(api)]);
  const ask = async (method: string, where: string, body: object | null): Promise<void> => {
    const options = { method, body: body && JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${api}/proxies${where}`, options);
    if (!response.ok) throw new Error(`toxiproxy said ${response.status}: ${await response.text()}`);
  };
  const add = (one: Toxic): Promise<void> =>
    ask('POST', '/line/toxics', { ...one, name: one.type, stream: 'downstream' });
  await ask('POST', '', { name: 'line', listen: `127.0.0.1:${port}`, upstream: `127.0.0.1:${target}`, enabled: true });
  await add(toxic);
  return { port, add, remove: (type) => ask('DELETE', `/line/toxics/${type}`, null) };
}
