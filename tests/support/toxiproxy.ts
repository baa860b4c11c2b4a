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
  const api = await freePort();
  await startServer(api, PROGRAM, ['-host', '127.0.0.1', '-port', String(api)]);
  const ask = async (method: string, where: string, body: object | null): Promise<string> => {
    const options = { method, body: body && JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${api}/proxies${where}`, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`toxiproxy said ${response.status}: ${text}`);
    return text;
  };
  const add = async (one: Toxic): Promise<void> => {
    await ask('POST', '/line/toxics', { ...one, name: one.type, stream: 'downstream' });
  };
  // It chooses the port: one that we look for may be another test's by then.
  const line = { name: 'line', listen: '127.0.0.1:0', upstream: `127.0.0.1:${target}`, enabled: true };
  const { listen } = JSON.parse(await ask('POST', '', line)) as { listen: string };
  await add(toxic);
  const remove = async (type: Toxic['type']): Promise<void> => {
    await ask('DELETE', `/line/toxics/${type}`, null);
  };
  return { port: Number(listen.split(':').at(-1)), add, remove };
}
